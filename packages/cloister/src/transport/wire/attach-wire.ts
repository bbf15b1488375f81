import { attach, whyNot } from '@cloister/wire'
import type { BodyErrors } from '@cloister/wire'

import { createError } from '../../errors.ts'
import { logSafely } from '../../logging/request-log.ts'
import { CHECKING_MS } from '../node/create-server.ts'
import type { AnyServer } from '../node/create-server.ts'
import type { ServingLane, TransportHost } from '../transport.ts'
import { WireExchange } from './wire-exchange.ts'
import type { AppOptions } from '../../options/checked-options.generated.ts'

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

/** Options of `http.createServer` that change how requests are parsed or what they are made of. */
const CHANGES_REQUESTS: readonly string[] = (
  'IncomingMessage ServerResponse highWaterMark insecureHTTPParser joinDuplicateHeaders ' +
  'optimizeEmptyRequests rejectNonStandardBodyWrites shouldUpgradeCallback uniqueHeaders'
).split(' ')

/**
 * Returns why the requests of an app are left to `node:http`, in words for a log line; `null` when the wire serves them.
 * It is safe where everything that an application can see of the server is as it is with `node:http`.
 */
export function whyNode(options: AppOptions, server: AnyServer): string | null {
  if (options.transport === 'node') return "the option transport is 'node'"
  if (options.serverFactory !== null) return 'the option serverFactory makes the server'
  if (options.http2) return 'the option http2 is set'
  for (const given of [options.http, options.https]) {
    const changed = given === null ? undefined : findChange(given)
    if (changed !== undefined) return `the option ${changed} of the server is set`
  }
  return whyNot(server)
}

function findChange(given: object): string | undefined {
  if (Reflect.get(given, 'requireHostHeader') === false) return 'requireHostHeader'
  return CHANGES_REQUESTS.find((name) => {
    const value: unknown = Reflect.get(given, name)
    return value !== undefined && value !== false
  })
}
