import type { IncomingMessage, ServerResponse } from 'node:http'
import { turnOf } from '@cloister/wire'

import type { AnyServer, Listener } from './create-server.ts'

/**
 * A client that waits for `100 Continue` before it sends its body gets it when the body is first read, and not when
 * the request is refused before: its response then ends the connection, since the body may or may not follow (RFC 9110
 * section 10.1.1). Node would send it at once. A listener of the application takes this over.
 */
export function continueWhenRead(server: AnyServer, listener: Listener): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (server.listenerCount('checkContinue') > 1) return
    const { shouldKeepAlive } = response
    response.shouldKeepAlive = false
    request._read = (size) => {
      Reflect.deleteProperty(request, '_read')
      if (turnOf(response).mayInform) {
        response.writeContinue()
        response.shouldKeepAlive = shouldKeepAlive
      }
      request._read(size)
    }
    listener(request, response)
  })
}
