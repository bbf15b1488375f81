import type { CallbackFunc, Chain, DispatchFunc, InjectOptions } from 'light-my-request'

import { dependencies } from '../../dependencies.ts'

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
  const { lightMyRequest } = dependencies
  const dispatch: DispatchFunc = (request, response) => {
    ready().then(
      () => handle(request, response),
      (error: unknown) => response.emit('error', error),
    )
  }
  // A chain sends its request when it is awaited, and not before.
  if (callback === undefined) return lightMyRequest(dispatch, options)
  // What is wrong with the options is thrown here, at once.
  lightMyRequest(dispatch, options, callback)
  return undefined
}
