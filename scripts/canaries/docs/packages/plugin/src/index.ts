/**
 * A name.
 *
 * @example
 * ```ts
 * import { missing } from 'cloister'
 * missing()
 * ```
 */
export const name: string = 'plugin'
