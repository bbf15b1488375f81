import { AsyncResource } from 'node:async_hooks'

import type { Exchange } from '../exchange/exchange.ts'
import type { HandOverReason } from '../head/verdicts.ts'
import type { Engine } from './engine.ts'

/**
 * Returns a function that publishes a request on the diagnostics channels of `node:http`, then handles it, both in an
 * asynchronous context of its own: what a subscriber enters into it belongs to this request alone.
 *
 * @param onObserver - called when a subscriber makes code expect Node's objects for every request
 */
export function publisher(
  engine: Engine,
  onObserver: (reason: HandOverReason) => void,
): (exchange: Exchange) => void {
  const publish = (exchange: Exchange): void => {
    const { raw } = exchange
    raw.publish()
    const { reason } = engine.observers
    if (reason === null) {
      engine.handle(exchange)
      return
    }
    // The subscriber has replaced `emit` or added a listener, which expects this request, too; nothing has handled it yet.
    onObserver(reason)
    engine.server.emit('request', raw.request, raw.response)
  }
  return (exchange) => {
    new AsyncResource('CLOISTERWIREREQUEST').runInAsyncScope(publish, undefined, exchange)
  }
}
