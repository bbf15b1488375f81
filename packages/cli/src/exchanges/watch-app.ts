/** What processes do to look at an app of either framework. */
import { objectOf } from '../diff/json.ts'
import { framesHere } from './call-site.ts'
import type { DrawnRoute, SeenResponse } from './exchange.ts'

export type AnyFunction = (...args: unknown[]) => unknown

/** How many characters of a body are compared. */
export const MAX_BODY_LENGTH: number = 64 * 1024

/** Whether a value is a function. */
export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function'
}

/** Calls a method; returns `undefined` if the app does not have it. */
export function callMethod(app: object, name: string, ...args: unknown[]): unknown {
  const found: unknown = Reflect.get(app, name)
  return isFunction(found) ? found.apply(app, args) : undefined
}

/** Makes `listen` only wait until the app is ready, so that a file that starts its app opens no port. */
export function readyInsteadOfListening(app: object): void {
  Reflect.set(app, 'listen', async (...args: unknown[]) => {
    await callMethod(app, 'ready')
    const callback = args.at(-1)
    if (isFunction(callback)) callback(null, 'http://127.0.0.1:0')
    return 'http://127.0.0.1:0'
  })
}

/** Returns the routes that a hook `onRoute` gets. Their call site is that of the call that defines them. */
export function drawnRoutesOf({ method, url, schema }: Readonly<Record<string, unknown>>): DrawnRoute[] {
  const [callSite = ''] = framesHere()
  // A copy, because frameworks complete the schema later.
  const copy = jsonCopy(schema)
  return [method].flat().map((one) => ({ method: String(one), url: String(url), schema: copy, callSite }))
}

/** Reads a response of `inject`. */
export function readResponse(response: unknown): SeenResponse {
  const { statusCode, headers, payload } = objectOf(response)
  return {
    status: Number(statusCode),
    headers: { ...objectOf(headers) },
    body: String(payload).slice(0, MAX_BODY_LENGTH),
  }
}

/** Returns a copy as JSON; empty if it cannot be serialized. */
export function jsonCopy(value: unknown): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(JSON.stringify(value ?? {})))
  } catch {
    return {}
  }
}
