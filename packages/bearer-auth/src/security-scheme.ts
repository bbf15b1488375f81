/** The key under which OpenAPI tools find the security schemes that a hook checks. */
const SECURITY: unique symbol = Symbol.for('cloister.security')

type AnyFunction = (...args: never[]) => unknown

/** Declares on a hook that it checks tokens of this type; the scheme is named `bearer` in documents. */
export function declareScheme<F extends AnyFunction>(hook: F, bearerType: string): F {
  const schemes = Object.freeze({ bearer: Object.freeze({ type: 'http', scheme: bearerType.toLowerCase() }) })
  return Object.defineProperty(hook, SECURITY, { value: schemes })
}
