import { CallSite } from '../call-site.ts'
import { createError } from '../errors.ts'
import { readPlatform, type FetchPlatform } from '../transport/fetch/fetch-context.ts'
import type { CloisterInstance } from '../types/instance.ts'
import type { CloisterApp } from './cloister-app.ts'
import { appOf } from './app-of.ts'

/** A handler of the web platform: takes a `Request` and what the platform hands over beside it. */
export type FetchHandler<Args extends readonly unknown[]> = (
  request: Request,
  ...args: Args
) => Promise<Response>

/** Reads what a platform says of a request: the address of the client, and what handlers get. */
export type ReadPlatform<Args extends readonly unknown[]> = (request: Request, ...args: Args) => FetchPlatform

/**
 * Makes a handler for platforms that give a `Request` and take a `Response` (WHATWG Fetch): workers, edge functions,
 * `Bun.serve`, `Deno.serve`. The app boots with the first request.
 *
 * `app.fetch` is the same without settings; it finds the client's address that Bun and Deno hand over.
 *
 * @param app - the app that handles the requests
 * @param platform - reads what the platform hands over beside the request
 * @returns the handler. It rejects with what failed the boot, and when the client goes away before the response
 * @throws `CLO_ERR_FETCH_APP_INVALID` for anything that is no app
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
  app: Pick<CloisterInstance, 'fetch'>,
  platform: ReadPlatform<Args> = readPlatform,
): FetchHandler<Args> {
  return fetchHandler(
    appOf(app, (got) => createError('FETCH_APP_INVALID', { got })),
    platform,
  )
}

/** Makes the handler of an app; `app.fetch` is one that remembers no instance. */
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
