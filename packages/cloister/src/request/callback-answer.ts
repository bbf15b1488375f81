/** A path that a callback of the application answers on the raw response; what it returned may be a promise. */
export class CallbackAnswer {
  readonly result: unknown

  constructor(result: unknown) {
    this.result = result
  }
}
