import type { CallbackFunc, Chain, DispatchFunc, InjectOptions } from 'light-my-request'

import { isError } from '../errors.ts'
import { lazyModules } from '../lazy-modules.ts'

export type InjectCallback = CallbackFunc

/**
 * The in-process transport: requests that need no socket. `light-my-request` makes request and response objects of
 * Node's shape, which take the same way as those of a server.
 *
 * @param ready - what must be settled before the request is handed over
 * @returns a chain that can be built further and awaited; with a callback nothing
 */
export function inject(
  handle: DispatchFunc,
  ready: () => Promise<unknown>,
  options: InjectOptions | string,
  callback?: InjectCallback,
): Chain | undefined {
  const { lightMyRequest } = lazyModules
  if (callback === undefined) {
    // A chain sends its request when it is awaited, and not before.
    return lightMyRequest((request, response) => {
      ready().then(
        () => handle(request, response),
        (error: unknown) => response.emit('error', error),
      )
    }, options)
  }
  ready().then(
    () => lightMyRequest(handle, options, callback),
    (error: unknown) => callback(isError(error) ? error : new Error(String(error)), undefined),
  )
  return undefined
}
