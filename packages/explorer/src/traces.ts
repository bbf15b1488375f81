/** A stage of a request, and when it began. */
export interface StageTime {
  /** Its name, as in `preHandler`. */
  readonly stage: string
  /** Milliseconds since the first stage of the request. */
  readonly at: number
}

/** So many requests are remembered. */
const MOST = 50

/** The stages of the requests that the page sends, by the id that it gives to each. */
export class Traces {
  readonly #byId: Map<string, { readonly start: number; readonly stages: StageTime[] }> = new Map()

  /** Notes that a request begins with a stage. */
  add(id: string, stage: string): void {
    const now = performance.now()
    let trace = this.#byId.get(id)
    if (trace === undefined) {
      trace = { start: now, stages: [] }
      this.#byId.set(id, trace)
      const [oldest] = this.#byId.keys()
      if (this.#byId.size > MOST && oldest !== undefined) this.#byId.delete(oldest)
    }
    trace.stages.push({ stage, at: Math.round((now - trace.start) * 1000) / 1000 })
  }

  /** Returns the stages of a request, in the order of their run, and forgets them. */
  take(id: string): readonly StageTime[] {
    const trace = this.#byId.get(id)
    this.#byId.delete(id)
    return trace?.stages ?? []
  }
}
