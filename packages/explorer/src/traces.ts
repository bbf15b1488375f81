/** A stage of a request, or a hook in it, and when it began. */
export interface StageTime {
  /** The name of the stage, as in `preHandler`. */
  readonly stage: string
  /** The name of the function of a hook; absent for the stage itself. */
  readonly hook?: string
  /** Milliseconds since the first stage of the request. */
  readonly at: number
}

/** Limits for stored requests, and for the stages and hooks of each; a request has about fifteen stages. */
const MAX_TRACES = 50
const MAX_STAGES = 128
/** The maximum length of an id; the page uses UUIDs. */
const MAX_ID_LENGTH = 64

/**
 * The stages of the requests that the page sends, by their ids. Clients choose the ids, so each trace is bounded,
 * and so is their number.
 */
export class Traces {
  readonly #byId: Map<string, { readonly start: number; readonly stages: StageTime[] }> = new Map()

  /** Records that a stage, or a hook in it, begins. */
  add(id: string, stage: string, hook?: string): void {
    if (id.length > MAX_ID_LENGTH) return
    const now = performance.now()
    let trace = this.#byId.get(id)
    if (trace === undefined) {
      trace = { start: now, stages: [] }
      this.#byId.set(id, trace)
      const [oldest] = this.#byId.keys()
      if (this.#byId.size > MAX_TRACES && oldest !== undefined) this.#byId.delete(oldest)
    }
    if (trace.stages.length === MAX_STAGES) return
    const at = Math.round((now - trace.start) * 1000) / 1000
    trace.stages.push(hook === undefined ? { stage, at } : { stage, hook, at })
  }

  /** Returns the stages of a request so far, in the order in which they ran. A stream has more of them later. */
  of(id: string): readonly StageTime[] {
    return this.#byId.get(id)?.stages ?? []
  }
}
