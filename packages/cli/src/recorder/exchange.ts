/** A request as `inject` takes it. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** A response as a client sees it. */
export interface SeenResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** A request with its response: one that the tests of the project have sent, or one that was drawn from a route. */
export interface Exchange {
  readonly kind: 'recorded' | 'drawn'
  /** Names the same request in another run. */
  readonly key: string
  readonly request: SentRequest
  /** `null` where no response came. */
  readonly response: SeenResponse | null
  /** Method and path of the route; for drawn requests alone. */
  readonly route?: string
  /** Where the route is defined, or the request is sent: `file:line`. */
  readonly callSite: string
}

/** A route that requests can be drawn for. */
export interface DrawnRoute {
  readonly method: string
  readonly url: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly callSite: string
}

/** An app that did not start. */
export interface Failure {
  readonly kind: 'failed'
  readonly code: string
  readonly message: string
  readonly callSite: string
}
