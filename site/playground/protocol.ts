/** A request as the form has it. */
export interface FormRequest {
  readonly method: string
  readonly url: string
  /** One `name: value` in each line. */
  readonly headers: string
  readonly body: string
}

/** What the page says to the worker that runs an app. `id` is that of the request; reports about it repeat it. */
export type Command =
  | { readonly kind: 'start'; readonly code: string }
  | { readonly kind: 'send'; readonly id: number; readonly request: FormRequest }
  | { readonly kind: 'cancel' }

/** What a route runs, as `app.explain` has it. */
export interface RouteFacts {
  readonly method: string
  readonly url: string
  readonly hooks: readonly { readonly name: string; readonly fn: string; readonly plugin: string }[]
}

/** A place in the text of the editor; both count from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** Why an app did not start, or a request got no response. */
export interface Failure {
  readonly message: string
  /** The line that threw, if it is one of the editor. */
  readonly line: number | null
  /** Whether the browser could not read the code at all: it says not where. */
  readonly isSyntax: boolean
}

/** What the worker says of its app. */
export type AppReport =
  | { readonly kind: 'started'; readonly routes: readonly RouteFacts[]; readonly document: string }
  | ({ readonly kind: 'unstarted' } & Failure)
  | { readonly kind: 'log'; readonly text: string }

/** What the worker says of one request. Milliseconds count from when it was sent. */
export type RequestReport = { readonly id: number } & (
  | { readonly kind: 'stage'; readonly stage: string; readonly hook: string | null; readonly at: number }
  | {
      readonly kind: 'head'
      readonly status: number
      readonly headers: readonly (readonly [string, string])[]
      readonly ms: number
    }
  | { readonly kind: 'chunk'; readonly text: string; readonly ms: number }
  | { readonly kind: 'end'; readonly ms: number }
  | ({ readonly kind: 'failed' } & Failure)
)

/** What the worker says to the page. */
export type Report = AppReport | RequestReport
