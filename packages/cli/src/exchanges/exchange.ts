/** A request for `inject`. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface SeenResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** A request with its response: sent by the tests of the project, or drawn from a route. */
export interface Exchange {
  readonly kind: 'recorded' | 'drawn'
  readonly key: string
  readonly request: SentRequest
  /** `null` if no response arrived. */
  readonly response: SeenResponse | null
  /** Method and path of the route; only for drawn requests. */
  readonly route?: string
  /** Where the route is defined, or the request is sent: `file:line`. */
  readonly callSite: string
}

/** A route to draw requests for. */
export interface DrawnRoute {
  readonly method: string
  readonly url: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly callSite: string
}

export interface Failure {
  readonly kind: 'failed'
  readonly code: string
  readonly message: string
  readonly callSite: string
}
