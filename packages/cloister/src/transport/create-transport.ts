import { InjectEntry } from './inject/inject-entry.ts'
import { NodeTransport } from './node/node-transport.ts'
import { attachWire } from './wire/attach-wire.ts'
import type { Transport, TransportHost } from './transport.ts'

/**
 * Makes the transport of an app, by its options. It is the one place that chooses.
 *
 * @param given - the options as the application wrote them, for its `serverFactory`
 */
export function createTransport(host: TransportHost, given: unknown): Transport {
  return new NodeTransport(host, given, attachWire, (app, handle) => new InjectEntry(app, handle))
}
