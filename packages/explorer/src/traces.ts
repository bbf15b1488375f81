/** A stage of a request, or a hook of one, and when it began. */
export interface StageTime {
  /** The name of the stage, as in `preHandler`. */
  readonly stage: string
  /** The name of the function of a hook; absent for the stage itself. */
  readonly hook?: string
  /** Milliseconds since the first stage of the request. */
  readonly at: number
}

/** So many requests are remembered, with so many stages and hooks of each; the path of a request has some fifteen stages. */
const MOST_TRACES = 50
const MOST_STAGES = 128
/** Characters of an id; the page gives its requests UUIDs. */
const LONGEST_ID = 64

/**
 * The stages of the requests that the page sends, by the id that it gives to each. Clients choose the ids, so that each
 * trace is bounded, and all of them are.
 */
export class Traces {
  readonly #byId: Map<string, { readonly start: number; readonly stages: StageTime[] }> = new Map()

  /** Notes that a request begins with a stage, or a hook of it. */
  add(id: string, stage: string, hook?: string): void {
    if (id.length > LONGEST_ID) return
    const now = performance.now()
    let trace = this.#byId.get(id)
    if (trace === undefined) {
      trace = { start: now, stages: [] }
      this.#byId.set(id, trace)
      const [oldest] = this.#byId.keys()
      if (this.#byId.size > MOST_TRACES && oldest !== undefined) this.#byId.delete(oldest)
    }
    if (trace.stages.length === MOST_STAGES) return
    const at = Math.round((now - trace.start) * 1000) / 1000
    trace.stages.push(hook === undefined ? { stage, at } : { stage, hook, at })
  }

  /** Returns the stages of a request, in the order of their run, and forgets them. */
  take(id: string): readonly StageTime[] {
    const trace = this.#byId.get(id)
    this.#byId.delete(id)
    return trace?.stages ?? []
  }
}
