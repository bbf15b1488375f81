import type { BearerReply, BearerRequest, VerifyBearerAuth } from '@cloister/bearer-auth'

/** What a check did to a request. */
export interface Outcome {
  readonly passed: boolean
  readonly error: Error | undefined
  readonly status: number | undefined
  readonly headers: Record<string, string>
  readonly body: unknown
  readonly log: unknown[][]
}

/**
 * Runs a check on one request.
 *
 * @param authorization - the field of the request
 * @param logger - takes the place of the one that collects entries
 */
export function check(verify: VerifyBearerAuth, authorization?: string, logger?: object): Promise<Outcome> {
  return new Promise((resolve) => {
    const headers: Record<string, string> = {}
    const log: unknown[][] = []
    const write =
      (level: string) =>
      (...entry: unknown[]): void =>
        void log.push([level, ...entry])
    let status: number | undefined
    const end = (rest: { passed?: boolean; error?: Error | undefined; body?: unknown }): void =>
      resolve({ passed: false, error: undefined, body: undefined, status, headers, log, ...rest })
    const reply: BearerReply = {
      code: (code) => (status = code),
      header: (name, value) => (headers[name] = value),
      send: (body) => end({ body }),
    }
    const request: BearerRequest = {
      headers: { authorization },
      log: logger ?? { error: write('error'), debug: write('debug') },
    }
    verify(request, reply, (error) => end({ passed: error === undefined, error }))
  })
}
