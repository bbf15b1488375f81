import { METHODS } from 'node:http'

import { createError } from '../errors.ts'
import type { BodyRule } from '../request/route-plan.ts'

/** Methods whose body is never read (RFC 9110 sections 9.3.1, 9.3.2, 9.3.8). */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE'])
/** Methods whose body must have a content type (RFC 10008 section 2.1). */
const WITH_TYPED_BODY: ReadonlySet<string> = new Set(['QUERY'])
/** Methods whose body is validated even if it is missing. */
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** Methods whose body is not read unless it has a content type. */
const WITH_SELDOM_BODY: ReadonlySet<string> = new Set(['DELETE', 'OPTIONS'])

/** The methods that have a shortcut (`app.get`, …) and that `app.all` defines. */
export const COMMON_METHODS: readonly string[] = [
  ...(
    'DELETE GET HEAD PATCH POST PUT OPTIONS PROPFIND PROPPATCH MKCOL COPY MOVE LOCK ' +
    'UNLOCK TRACE SEARCH REPORT MKCALENDAR'
  ).split(' '),
  // Node's parser accepts QUERY from version 20 on.
  ...METHODS.filter((method) => method === 'QUERY'),
]

/** The methods of one app: the common ones and those that the app added. */
export class MethodTable {
  readonly #methods = new Set(COMMON_METHODS)
  /** the rules of methods that the app added */
  readonly #own = new Map<string, BodyRule>()

  /** All methods that routes may have. */
  get names(): readonly string[] {
    return [...this.#methods]
  }

  /**
   * @param overrides - whether `hasBody: false` also applies to an existing method
   * @throws `CLO_ERR_ROUTE_METHOD_INVALID` for a method that Node's HTTP parser does not accept
   */
  add(method: unknown, hasBody: boolean, overrides: boolean): void {
    const name = typeof method === 'string' ? method.toUpperCase() : ''
    if (!METHODS.includes(name)) throw createError('ROUTE_METHOD_INVALID', {})
    this.#methods.add(name)
    if (hasBody || overrides) this.#own.set(name, hasBody ? 'expected' : 'never')
    else this.#own.delete(name)
  }

  /** @throws `CLO_ERR_ROUTE_METHOD_INVALID`, `CLO_ERR_ROUTE_METHOD_NOT_SUPPORTED` */
  check(method: unknown): string {
    if (typeof method !== 'string') throw createError('ROUTE_METHOD_INVALID', {})
    const name = method.toUpperCase()
    if (!this.#methods.has(name)) throw createError('ROUTE_METHOD_NOT_SUPPORTED', { method: name })
    return name
  }

  bodyRule(method: string): BodyRule {
    const own = this.#own.get(method)
    if (own !== undefined) return own
    if (WITHOUT_BODY.has(method)) return 'never'
    if (WITH_TYPED_BODY.has(method)) return 'typed'
    if (WITH_BODY.has(method)) return 'expected'
    return WITH_SELDOM_BODY.has(method) ? 'seldom' : 'optional'
  }
}
