import { CallSite } from '../call-site.ts'
import { createError } from '../errors.ts'
import { readPlatform, type FetchPlatform } from '../transport/fetch/fetch-context.ts'
import type { CloisterInstance } from '../types/instance.ts'
import { appOf, type CloisterApp } from './cloister-app.ts'

/** A handler of the web platform. It takes a `Request` and the platform's other arguments. */
export type FetchHandler<Args extends readonly unknown[]> = (
  request: Request,
  ...args: Args
) => Promise<Response>

/** Reads the platform's arguments: the address of the client, and the context for handlers. */
export type ReadPlatform<Args extends readonly unknown[]> = (request: Request, ...args: Args) => FetchPlatform

/**
 * Creates a handler for platforms with the Fetch API (WHATWG Fetch): workers, edge functions, `Bun.serve`,
 * `Deno.serve`. The app boots with the first request.
 *
 * `app.fetch` is the same handler without settings. It reads the client's address that Bun and Deno pass.
 *
 * @param app - the app that handles the requests
 * @param platform - reads the platform's other arguments
 * @returns the handler. It rejects with the error of a failed boot, when the client disconnects before the response,
 * and when the request would reach another route than `platform` allows
 * @throws `CLO_ERR_FETCH_APP_INVALID` if `app` is not an app
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { toFetch } from 'cloister/fetch'
 *
 * const app = cloister()
 * app.get('/ip', (request) => ({ ip: request.ip }))
 * export default {
 *   fetch: toFetch(app, (request) => ({ clientAddress: request.headers.get('cf-connecting-ip') })),
 * }
 * ```
 */
export function toFetch<Args extends readonly unknown[]>(
  app: Pick<CloisterInstance, 'ready'>,
  platform: ReadPlatform<Args> = readPlatform,
): FetchHandler<Args> {
  return fetchHandler(
    appOf(app, (got) => createError('FETCH_APP_INVALID', { got })),
    platform,
  )
}

/** Creates the fetch handler of an app. It works without an instance as `this`. */
export function fetchHandler<Args extends readonly unknown[]>(
  app: CloisterApp,
  platform: ReadPlatform<Args>,
): FetchHandler<Args> {
  const boot = (): Promise<void> => app.boot(new CallSite(handle))
  function handle(request: Request, ...args: Args): Promise<Response> {
    return app.fetchEntry.fetch(request, platform(request, ...args), boot)
  }
  return handle
}
