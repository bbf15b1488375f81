import { NodeTransport } from './node/node-transport.ts'
import { VARIABLE, askedFor } from './wire/attach-wire.ts'
import type { Transport, TransportHost } from './transport.ts'

/**
 * Creates the transport of an app from its options.
 *
 * @param given - the options as the application wrote them, for its `serverFactory`
 * @throws `CLO_ERR_INIT_OPTS_INVALID` for an unknown value of the environment variable `CLOISTER_TRANSPORT`
 */
export function createTransport(host: TransportHost, given: unknown): Transport {
  return new NodeTransport(host, given, askedFor(host.options.transport, process.env[VARIABLE]))
}
