/** The input of a call whose route is not known. */
export type UntypedInput = Readonly<Record<string, unknown>>

/** A client without its table of routes. */
export type UntypedClient = (
  route: string,
  input: UntypedInput,
) => Promise<{
  readonly status: number
  readonly ok: boolean
  readonly headers: Headers
  readonly body: unknown
}>
