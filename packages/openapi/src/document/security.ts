import type { InspectedRoute } from 'cloister/inspect'

import { OpenApiError } from '../errors.ts'
import { entriesOf, isRecord } from '../guards.ts'
import type { SecurityRequirement, SecurityScheme, SecuritySchemes } from '../types.ts'

/**
 * The key on a hook function for the security schemes that it checks: `{ name: scheme }`. It is a registered symbol,
 * so that plugins can set it without a dependency on this package.
 */
const SECURITY: unique symbol = Symbol.for('cloister.security')

type AnyFunction = (...args: never[]) => unknown

/**
 * Declares which security schemes a hook function checks. The document then lists them for all routes that run the
 * hook: those of its context and below, or the route that has it in its own options.
 *
 * @returns the function itself
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { secures } from '@cloister/openapi'
 *
 * const app = cloister()
 * const checkKey = secures(
 *   { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
 *   async (request: { headers: Record<string, unknown> }) => {
 *     if (request.headers['x-api-key'] !== 'secret') throw new Error('wrong key')
 *   },
 * )
 * app.addHook('onRequest', checkKey)
 * ```
 */
export function secures<F extends AnyFunction>(schemes: SecuritySchemes, hook: F): F {
  return Object.defineProperty(hook, SECURITY, { value: schemes, configurable: true })
}

/** Collects the security schemes that hooks check. A different scheme with the same name gets a number. */
export class SecurityTable {
  readonly #schemes = new Map<string, SecurityScheme>()

  /** Returns what requests of a route must satisfy: the schemes of all its hooks; undefined if there are none. */
  requirementsOf({
    hooks,
    written,
    description,
  }: InspectedRoute): readonly SecurityRequirement[] | undefined {
    const { security } = written
    if (isRequirements(security)) return security
    const scopes = new Map<string, readonly string[]>()
    hooks.forEach((hook, index) => {
      const names = this.#namesOf(Reflect.get(hook, SECURITY))
      const demanded = description.hooks[index]?.guard?.security ?? {}
      for (const scheme of new Set([...Object.keys(demanded), ...names.keys()])) {
        const name = names.get(scheme) ?? scheme
        scopes.set(name, [...new Set([...(scopes.get(name) ?? []), ...(demanded[scheme] ?? [])])])
      }
    })
    return scopes.size === 0 ? undefined : [Object.fromEntries(scopes)]
  }

  /** Returns the name in the document for each scheme that a hook declares. */
  #namesOf(declared: unknown): ReadonlyMap<string, string> {
    const schemes = entriesOf(declared)
    return new Map(
      schemes.flatMap(([name, scheme]) => (isScheme(scheme) ? [[name, this.#nameOf(name, scheme)]] : [])),
    )
  }

  get schemes(): SecuritySchemes {
    return Object.fromEntries(this.#schemes)
  }

  #nameOf(wanted: string, scheme: SecurityScheme): string {
    const text = JSON.stringify(scheme)
    let name = wanted
    for (let count = 2; ; count += 1) {
      const known = this.#schemes.get(name)
      if (known === undefined || JSON.stringify(known) === text) break
      name = `${wanted}_${count}`
    }
    this.#schemes.set(name, scheme)
    return name
  }
}

function isRequirements(value: unknown): value is readonly SecurityRequirement[] {
  return Array.isArray(value) && value.every(isRecord)
}

function isScheme(value: unknown): value is SecurityScheme {
  return isRecord(value) && typeof value['type'] === 'string'
}

/**
 * Checks that the security schemes of operations are declared.
 *
 * @param users - what names the schemes, with the requirements
 * @throws OpenApiError `CLO_ERR_OPENAPI_SECURITY`
 */
export function checkSchemes(
  users: readonly (readonly [who: string, security: readonly SecurityRequirement[] | undefined])[],
  declared: object,
): void {
  for (const [who, security = []] of users) {
    const name = security.flatMap(Object.keys).find((one) => !Object.hasOwn(declared, one))
    if (name === undefined) continue
    throw new OpenApiError(
      'CLO_ERR_OPENAPI_SECURITY',
      `${who}: nothing declares the security scheme '${name}'; add it to components.securitySchemes in the options ` +
        'of @cloister/openapi, or state it on what checks it: the option securitySchemes of addGuard, or secures({ ' +
        `${JSON.stringify(name)}: scheme }, hook)`,
    )
  }
}
