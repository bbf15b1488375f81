/** A stage of a request, or a hook in it, and how long it took. */
export interface StageTime {
  readonly name: string
  readonly isHook: boolean
  /** What it does; empty for a hook. */
  readonly says: string
  /** Milliseconds from when the request was sent. */
  readonly at: number
  /** Milliseconds until the next stage; for a hook, until whatever came next. */
  readonly took: number
}

/** When a stage, or a hook in it, began. */
export interface Begun {
  readonly stage: string
  readonly hook: string | null
  readonly at: number
}

const SAYS: Readonly<Record<string, string>> = {
  deadline: 'starts the time limit of the handler',
  onRequest: 'hooks, before the body is read',
  preParsing: 'hooks that may replace the body',
  readBody: 'waits for the body, up to its limit',
  parseBody: 'turns the body into a value',
  preValidation: 'hooks, before validation',
  validate: 'checks params, query, headers and body against their schemas',
  preHandler: 'hooks, with a valid request',
  expectStatus: 'notes the statuses that the route declares',
  handler: 'the function of the route',
  preSerialization: 'hooks that may replace the payload',
  checkStatus: 'checks that the route declares the status',
  serialize: 'writes the payload by the schema of the response',
  serializeAndJudge: 'writes the payload, and checks it against the schema of the response',
  onSend: 'hooks that may replace the text',
  write: 'sends the response',
}

/** @param end - when the response ended */
export function stageTimes(begun: readonly Begun[], end: number): StageTime[] {
  return begun.map(({ stage, hook, at }, index) => {
    const next = begun.slice(index + 1).find((one) => hook !== null || one.hook === null)
    return {
      name: hook === null ? stage : hook || 'a function without a name',
      isHook: hook !== null,
      says: hook === null ? (SAYS[stage] ?? '') : '',
      at,
      took: (next?.at ?? end) - at,
    }
  })
}
