import { ServerResponse } from 'node:http'

import { isFunction } from '../../guards.ts'

/**
 * Makes the response that `light-my-request` creates take what a server's response takes: it drops content that its
 * method or status does not allow, and calls the callback of `end`. Versions since 6.8 do this themselves.
 */
export function writeAsServer(response: ServerResponse): void {
  const { write, end } = response
  const hasContent = (): boolean => {
    // The status decides, and it is final with the head.
    if (!response.headersSent) response.writeHead(response.statusCode)
    return Reflect.get(response, '_hasBody') !== false
  }
  Reflect.set(response, 'write', (...given: Parameters<typeof write>) =>
    hasContent() ? write.apply(response, given) : ServerResponse.prototype.write.apply(response, given),
  )
  Reflect.set(response, 'end', (...given: readonly unknown[]) => {
    const [data, encoding] = given.filter((one) => !isFunction(one))
    Reflect.apply(end, response, [data, encoding, given.find(isFunction)])
    return response
  })
}
