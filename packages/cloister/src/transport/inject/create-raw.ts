import type { IncomingMessage } from 'node:http'
import type { CallbackFunc } from 'light-my-request'

import { dependencies } from '../../dependencies.ts'
import { isRecord } from '../../guards.ts'
import { NodeExchange } from '../raw/node-exchange.ts'
import type { InjectedRequest } from './injected-request.ts'

/** A request on its way, for which Node's objects are made. */
export interface RequestUnderWay {
  readonly request: InjectedRequest
  readonly target: string
  readonly originalTarget: string
  readonly headerLines: readonly string[]
  /** the body has been read */
  readonly isRead: boolean
}

/**
 * Makes Node's objects of an injected request, and the exchange over them.
 *
 * @param settle - gets the response that is written to them, or why there is none
 */
export function createRaw(given: RequestUnderWay, settle: CallbackFunc): NodeExchange {
  const { givenMethod, headers, body, remoteAddress } = given.request
  const made: NodeExchange[] = []
  const payload = given.isRead || body === null ? '' : body
  // The library calls the function at once, since the payload is no stream.
  dependencies.lightMyRequest()(
    (request, response) => {
      // What hooks have done to target and headers since holds for the raw request too.
      Object.assign(request, { url: given.target, headers, rawHeaders: given.headerLines })
      if (given.isRead) endRead(request)
      made.push(new NodeExchange(request, response, false, given.originalTarget))
    },
    { validate: false, method: givenMethod ?? 'GET', url: '/', remoteAddress, payload },
    settle,
  )
  const [exchange] = made
  if (exchange === undefined) throw new Error('assertion: light-my-request has not handed over the request')
  return exchange
}

/** Brings a request to the state in which its body has been read to the end. */
function endRead(request: IncomingMessage): void {
  const state: unknown = Reflect.get(request, '_lightMyRequest')
  // With this, destroying the request does not end the response.
  if (isRecord(state)) state['isDone'] = true
  request.push(null)
  request.resume()
}
