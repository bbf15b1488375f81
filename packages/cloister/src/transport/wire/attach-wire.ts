import { attach, type BodyErrors, type HandOverReason } from '@cloister/wire'
import { whyNot } from '@cloister/wire/internal'

import { createError } from '../../errors.ts'
import { CHECKING_MS, type AnyServer, type Listener } from '../node/create-server.ts'
import { logStall } from '../node/progress.ts'
import { logSafely } from '../../logging/request-log.ts'
import type { TransportHost } from '../transport.ts'
import type { AppTransport } from '../../types/server.ts'
import { WireExchange } from './wire-exchange.ts'
import type { AppOptions } from '../../options/checked-options.generated.ts'

const ERRORS: BodyErrors = {
  tooLarge: () => createError('CTP_BODY_TOO_LARGE', {}),
  aborted: (cause) => createError('CTP_BODY_ABORTED', {}, { cause }),
}

/** The requested lane, and the setting that requests it. */
export interface Asked {
  readonly asked: AppOptions['transport']
  readonly by: string
}

/** The environment variable that overrides the option `transport`. */
export const VARIABLE = 'CLOISTER_TRANSPORT'

/**
 * Returns the lane that an app requests. The environment variable takes precedence, so that a deployed process can be
 * switched without a build; an empty value counts as absent.
 *
 * @throws `CLO_ERR_INIT_OPTS_INVALID` for any other value
 */
export function askedFor(option: AppOptions['transport'], variable: string | undefined): Asked {
  if (variable === undefined || variable === '') return { asked: option, by: 'the option transport' }
  if (variable === 'auto' || variable === 'node') return { asked: variable, by: VARIABLE }
  const problem = `the environment variable ${VARIABLE} must be 'auto' or 'node', got '${variable}'`
  throw createError('INIT_OPTS_INVALID', { problem })
}

/**
 * Lets the wire handle the requests of a server if that is safe.
 *
 * @returns the lane, with the reason
 */
export function attachWire(
  server: AnyServer,
  listener: Listener,
  host: TransportHost,
  { asked, by }: Asked,
): AppTransport {
  const { options, intake } = host
  const reason = asked === 'node' ? `${by} is 'node'` : whyNode(options, server, listener)
  if (reason !== null) return { name: 'node', asked, reason, handedOver: {} }
  const attachment = attach(server, intake.receive, {
    Exchange: WireExchange,
    // Admission finds the same problem, and responds in the app's format.
    refuse: intake.receive,
    errors: ERRORS,
    checkingInterval: options.http?.connectionsCheckingInterval ?? CHECKING_MS,
    writeTimeout: options.writeTimeout,
    onStall: (unread) => logStall(host, options.writeTimeout, unread, 'connection'),
    onObserver(observer) {
      const reason = expectation(observer)
      const line = `requests are served by Node's own server from now on: ${reason}. ${costOf(reason) ?? ''}`
      logSafely(host, () => host.logger.info({ transport: 'node' }, line.trim()))
    },
  })
  return {
    asked,
    get name() {
      return attachment.observer === null ? 'wire' : 'node'
    },
    get reason() {
      const { observer } = attachment
      if (observer === null) return `${by} is 'auto', and nothing speaks against it`
      return expectation(observer)
    },
    get handedOver() {
      return attachment.counts.handedOver
    },
  }
}

/** What tracers do to see Node's objects of every request. */
const BY_TRACERS = 'a replaced emit'

const COST =
  'A small request takes about twice the CPU there; @cloister/otel creates spans without it (docs/recipes/tracing.md)'

function expectation(observer: HandOverReason): string {
  return `${observer} expects the objects of node:http for every request`
}

/** Returns what the reason of a lane costs, and what to do instead, if it is a tracer; otherwise `null`. */
export function costOf(reason: string): string | null {
  return reason.startsWith(BY_TRACERS) ? COST : null
}

/** Options of `http.createServer` that change how requests are parsed or which objects represent them. */
const CHANGES_REQUESTS: readonly string[] = (
  'IncomingMessage ServerResponse highWaterMark insecureHTTPParser joinDuplicateHeaders ' +
  'optimizeEmptyRequests rejectNonStandardBodyWrites shouldUpgradeCallback uniqueHeaders'
).split(' ')

/**
 * Returns why `node:http` has to handle the requests of an app, for a log line; `null` if the wire can. That is safe if
 * the application can't see a difference.
 */
export function whyNode(options: AppOptions, server: AnyServer, listener: Listener): string | null {
  if (options.serverFactory !== null) return 'the option serverFactory makes the server'
  if (options.http2) return 'the option http2 is set'
  for (const given of [options.http, options.https]) {
    const changed = given === null ? undefined : findChange(given)
    if (changed !== undefined) return `the option ${changed} of the server is set`
  }
  // An agent that replaces `http.createServer` adds its own listener.
  const isOwn = server.listeners('request').every((one) => one === listener)
  return isOwn ? whyNot(server) : 'the server has a listener of request that is not of the app'
}

function findChange(given: object): string | undefined {
  if (Reflect.get(given, 'requireHostHeader') === false) return 'requireHostHeader'
  return CHANGES_REQUESTS.find((name) => {
    const value: unknown = Reflect.get(given, name)
    return value !== undefined && value !== false
  })
}
