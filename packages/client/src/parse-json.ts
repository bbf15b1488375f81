/**
 * Parses JSON.
 *
 * @param what - names the text in errors
 * @throws SyntaxError for other text
 */
export type ParseJson = (text: string, what: string) => unknown

/**
 * Returns the parser for the replies of a route, or for the messages of its socket: the setting `integers`.
 *
 * @param route - method and path, as in `'GET /users/:id'`
 * @param keys - the status, its class and `default`, or `outgoing` for messages
 */
export type ReadIntegers = (route: string, keys: readonly string[]) => ParseJson

declare const int64: unique symbol

/**
 * Marks a table of routes whose replies have 64-bit integers: its client needs the setting `integers`. The property exists
 * only in types.
 */
export interface ReadsInt64 {
  readonly [int64]: bigint
}
