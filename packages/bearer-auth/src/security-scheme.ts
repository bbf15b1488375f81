/** The key under which tools that write OpenAPI documents find the security schemes that a hook checks. */
const SECURITY: unique symbol = Symbol.for('cloister.security')

type AnyFunction = (...args: never[]) => unknown

/** States on a hook that it checks tokens of this kind; its name in documents is `bearer`. */
export function declareScheme<F extends AnyFunction>(hook: F, bearerType: string): F {
  const schemes = Object.freeze({ bearer: Object.freeze({ type: 'http', scheme: bearerType.toLowerCase() }) })
  return Object.defineProperty(hook, SECURITY, { value: schemes })
}
