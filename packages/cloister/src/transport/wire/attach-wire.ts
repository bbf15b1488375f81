import { attach } from '@cloister/wire'
import type { BodyErrors } from '@cloister/wire'

import { createError } from '../../errors.ts'
import { logSafely } from '../../logging/request-log.ts'
import { CHECKING_MS } from '../node/create-server.ts'
import type { AnyServer } from '../node/create-server.ts'
import type { ServingLane, TransportHost } from '../transport.ts'
import { whyNode } from './why-node.ts'
import { WireExchange } from './wire-exchange.ts'

const ERRORS: BodyErrors = {
  tooLarge: () => createError('CTP_BODY_TOO_LARGE', {}),
  aborted: (cause) => createError('CTP_BODY_ABORTED', {}, { cause }),
}

/**
 * Lets the wire serve the requests of a server, where that is safe.
 *
 * @returns what serves them, and why
 */
export function attachWire(server: AnyServer, host: TransportHost): ServingLane {
  const { options, intake } = host
  const reason = whyNode(options, server)
  if (reason !== null) return { name: 'node', reason }
  const receive = (exchange: WireExchange): void => intake.receive(exchange, host.phase)
  attach(server, receive, {
    Exchange: WireExchange,
    // Admission finds the same fault, and refuses in the words of the app.
    refuse: receive,
    errors: ERRORS,
    checkingInterval: options.http?.connectionsCheckingInterval ?? CHECKING_MS,
    writeTimeout: options.writeTimeout,
    onStall: () => {
      const line = `a client has read nothing of its response for ${options.writeTimeout} ms (writeTimeout); its connection is cut`
      logSafely(host, () => host.logger.info(line))
    },
  })
  return { name: 'wire', reason: "the option transport is 'auto', and nothing speaks against it" }
}
