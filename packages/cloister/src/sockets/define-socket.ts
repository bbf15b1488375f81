import type { Context } from '../context/context.ts'
import { createJsonParser } from '../body/default-parsers.ts'
import { createError } from '../errors.ts'
import { isFunction, isRecord, type AnyFunction } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import { bytes, either, integer, oneOf, texts, timer } from '../options/kinds.ts'
import { mustBe, type Kind } from '../options/option-row.ts'
import { ROUTE_OPTIONS } from '../options/route-options.ts'
import { ReplyImpl } from '../request/reply.ts'
import type { Handshake } from '../request/route-plan.ts'
import type { RequestServices } from '../request/services.ts'
import { defineRoute, shortcutOptions, type RoutedApp } from '../routes/define-route.ts'
import { findRoute } from '../routes/route-table.ts'
import { handshakeOf } from '../routes/schemas/plan-schemas.ts'
import { nearestName } from '../suggest.ts'
import { kHandshake } from '../symbols.ts'
import type { Transport } from '../transport/transport.ts'
import type { SocketLimits } from '../types/sockets.ts'
import { openSocket } from './handshake.ts'
import { MessageSocketImpl } from './message-socket.ts'

/** The parts of an app that WebSocket routes need. */
export interface SocketApp extends RoutedApp, RequestServices {
  readonly options: AppOptions
  readonly methods: RoutedApp['methods']
  readonly transport: Transport
  readonly routes: RoutedApp['routes'] & RequestServices['routes']
}

/**
 * Defines a WebSocket route: a GET route whose handler switches the protocol and passes the socket to the application's
 * handler.
 *
 * @throws the errors of `defineRoute`, and `CLO_ERR_ROUTE_OPTION_INVALID`
 */
export function defineSocket(
  app: SocketApp,
  context: Context,
  args: readonly [path: unknown, second: unknown, third: unknown],
  callSite: CallSite,
): void {
  const { handler, ...given } = shortcutOptions('GET', ...args)
  const label = `GET:${String(args[0])}`
  if (!isFunction(handler)) throw createError('ROUTE_HANDLER_NOT_FN', { what: 'Handler', route: label })
  if (/Generator/.test(Object.prototype.toString.call(handler))) {
    const problem = 'the handler of a WebSocket cannot be a generator; send messages with socket.send()'
    throw createError('ROUTE_OPTION_INVALID', { route: label, problem })
  }
  if (isRecord(given['schema'])) refuseParts(given['schema'], label)
  const { route, limits } = splitOptions(given, label, app.options.bodyLimit)
  app.transport.node?.acceptUpgrades((url) => {
    const found = findRoute(app.routes, { method: 'GET', url })
    return found !== null && handshakeOf(found.stored) !== null
  })
  const handshake = createHandshake(app, limits, handler)
  defineRoute(
    app,
    context,
    { ...route, exposeHeadRoute: false, handler: handshake.handle, [kHandshake]: handshake },
    callSite,
  )
}

function refuseParts(schema: object, label: string): void {
  for (const [part, instead] of [
    ['body', 'incoming'],
    ['response', 'outgoing'],
  ] as const) {
    if (Reflect.get(schema, part) === undefined) continue
    const problem = `'schema.${part}' is no part of a WebSocket route; its messages have 'schema.${instead}'`
    throw createError('ROUTE_OPTION_INVALID', { route: label, problem })
  }
}

function createHandshake(app: SocketApp, limits: Limits, handler: AnyFunction): Handshake {
  const parseJson = createJsonParser({ ...app.options, ...app.exact })
  function handle(this: unknown, request: unknown, reply: unknown): void {
    if (!(reply instanceof ReplyImpl)) return
    openSocket(reply, limits, app.transport.node, (connection) => {
      const socket = new MessageSocketImpl(connection, reply, limits, (text) => parseJson(request, text))
      const handled = socket.serve(async () => handler.call(this, socket, request))
      const stream = { close: () => socket.leave(), handled }
      app.eventStreams.add(stream)
      void handled.then(() => socket.closed).then(() => app.eventStreams.delete(stream))
    })
  }
  Object.defineProperty(handle, 'name', { value: handler.name, configurable: true })
  return { handle, limits }
}

/** The limits of sockets with all defaults. */
export type Limits = Readonly<Required<SocketLimits>>

const DEFAULTS: Omit<Limits, 'maxPayload'> = {
  maxQueued: 16,
  maxMessagesPerSecond: 0,
  maxBytesPerSecond: 0,
  maxBuffered: 1_048_576,
  pingInterval: 30_000,
  origins: [],
  protocols: [],
}

const KINDS: { readonly [Name in keyof Limits]: Kind<Limits[Name]> } = {
  maxPayload: bytes,
  maxQueued: integer({ min: 1 }),
  maxMessagesPerSecond: integer({ min: 0 }),
  maxBytesPerSecond: bytes,
  maxBuffered: bytes,
  pingInterval: timer,
  origins: either(oneOf('*'), texts),
  protocols: texts,
}

const NAMES = Object.keys(KINDS)

/**
 * Separates the limits of a WebSocket route from the options of its handshake.
 *
 * @param label - the name of the route, for errors
 * @param bodyLimit - the limit of the app
 * @throws `CLO_ERR_ROUTE_OPTION_INVALID`, `CLO_ERR_ROUTE_OPTION_UNKNOWN`
 */
function splitOptions(
  given: Readonly<Record<string, unknown>>,
  label: string,
  bodyLimit: number,
): { route: Record<string, unknown>; limits: Limits } {
  const route: Record<string, unknown> = {}
  for (const name of Object.keys(given)) {
    if (NAMES.includes(name)) continue
    const nearest = ROUTE_OPTIONS.includes(name) ? '' : nearestName(name, NAMES, 1)
    if (nearest !== '') throw createError('ROUTE_OPTION_UNKNOWN', { route: label, name, nearest })
    route[name] = given[name]
  }
  const limits: Limits = { ...DEFAULTS, maxPayload: bytes.read(given['bodyLimit']) ?? bodyLimit }
  for (const [name, kind] of Object.entries<Kind<unknown>>(KINDS)) {
    const value = given[name]
    if (value === undefined || value === null) continue
    const read = kind.read(value)
    if (read === undefined)
      throw createError('ROUTE_OPTION_INVALID', { route: label, problem: mustBe(name, kind, value) })
    Object.assign(limits, { [name]: read })
  }
  return { route, limits }
}
