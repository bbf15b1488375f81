import { InjectEntry } from './inject/inject-entry.ts'
import { NodeTransport } from './node/node-transport.ts'
import { VARIABLE, askedFor, attachWire } from './wire/attach-wire.ts'
import type { Transport, TransportHost } from './transport.ts'

/**
 * Makes the transport of an app, by its options. It is the one place that chooses.
 *
 * @param given - the options as the application wrote them, for its `serverFactory`
 * @throws `CLO_ERR_INIT_OPTS_INVALID` for an unknown value of the environment variable `CLOISTER_TRANSPORT`
 */
export function createTransport(host: TransportHost, given: unknown): Transport {
  const asked = askedFor(host.options.transport, process.env[VARIABLE])
  return new NodeTransport(
    host,
    given,
    (server, listener) => attachWire(server, listener, host, asked),
    (app, handle) => new InjectEntry(app, handle),
  )
}
