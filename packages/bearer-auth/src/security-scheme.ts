/** The key under which the framework and OpenAPI tools find the security schemes that a function checks. */
const SECURITY: unique symbol = Symbol.for('cloister.security')

/** The key for the bodies of its refusals by status: `'error'`, a schema, or `null` if they are not known. */
const REFUSES: unique symbol = Symbol.for('cloister.refuses')

/** The body of a refusal: the error response of the app, a schema, or unknown. */
export type RefusalBody = 'error' | object | null

type AnyFunction = (...args: never[]) => unknown

/** Declares on a function that it checks tokens of a type; the scheme is named `bearer` in documents. */
export function declareScheme<F extends AnyFunction>(
  fn: F,
  { bearerType, refusal }: { readonly bearerType: string; readonly refusal: RefusalBody },
): F {
  const schemes = Object.freeze({ bearer: Object.freeze({ type: 'http', scheme: bearerType.toLowerCase() }) })
  Object.defineProperty(fn, SECURITY, { value: schemes })
  return Object.defineProperty(fn, REFUSES, { value: Object.freeze({ 401: refusal }) })
}
