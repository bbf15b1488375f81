/** A request that a callback of the application handles on the raw response; its result may be a promise. */
export class CallbackResult {
  readonly result: unknown

  constructor(result: unknown) {
    this.result = result
  }
}
