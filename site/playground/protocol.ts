/** A request as the form has it. */
export interface FormRequest {
  readonly method: string
  readonly url: string
  /** One `name: value` in each line. */
  readonly headers: string
  readonly body: string
}

/** What the page says to the worker that runs an app. */
export type Command =
  | { readonly kind: 'start'; readonly code: string }
  | { readonly kind: 'send'; readonly request: FormRequest }
  | { readonly kind: 'cancel' }

/** What a route runs, as `app.explain` has it. */
export interface RouteFacts {
  readonly method: string
  readonly url: string
  readonly hooks: readonly { readonly name: string; readonly fn: string; readonly plugin: string }[]
}

/** What the worker says to the page. */
export type Report =
  | { readonly kind: 'started'; readonly routes: readonly RouteFacts[]; readonly document: string }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'stage'; readonly name: string; readonly ms: number }
  | {
      readonly kind: 'head'
      readonly status: number
      readonly headers: readonly (readonly [string, string])[]
      readonly ms: number
    }
  | { readonly kind: 'chunk'; readonly text: string; readonly ms: number }
  | { readonly kind: 'end'; readonly ms: number }
