import type { Context } from '../context/context.ts'
import { createJsonParser } from '../body/default-parsers.ts'
import { createError } from '../errors.ts'
import { prefixCode } from '../error-prefix.ts'
import { isFunction, isRecord, type AnyFunction } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import { logSafely } from '../logging/request-log.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import { ReplyImpl } from '../request/reply.ts'
import type { Handshake, PlanMessages } from '../request/route-plan.ts'
import type { RequestServices } from '../request/services.ts'
import { defineRoute, shortcutOptions, type RoutedApp } from '../routes/define-route.ts'
import { findRoute } from '../routes/route-table.ts'
import { handshakeOf } from '../routes/schemas/plan-messages.ts'
import { kHandshake, kPlan } from '../symbols.ts'
import type { Transport } from '../transport/transport.ts'
import { Handshakes } from './handshake.ts'
import { MessageSocketImpl, type SocketHost } from './message-socket.ts'
import { splitOptions, type Limits } from './socket-limits.ts'

/** An app that may have WebSocket routes. */
export interface SocketApp extends RoutedApp, RequestServices {
  readonly options: AppOptions
  readonly methods: RoutedApp['methods']
  readonly transport: Transport
}

const NO_SCHEMAS: PlanMessages = { incoming: null, outgoing: null }

/**
 * Defines a WebSocket route: a GET route, whose handler switches the protocol and gives the socket to the handler of the
 * application.
 *
 * @throws what `defineRoute` throws, `CLO_ERR_ROUTE_OPTION_INVALID`
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
    return found !== null && handshakeOf(found.record) !== null
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
  const handshakes = new Handshakes(limits, app.transport.node)
  const parseJson = createJsonParser(app.options.onProtoPoisoning, app.options.onConstructorPoisoning)
  const hostOf = (reply: ReplyImpl): SocketHost => ({
    label: reply[kPlan].label,
    limits,
    messages: reply[kPlan].messages ?? NO_SCHEMAS,
    parse: (text) => parseJson.call(undefined, undefined, text),
    prefixed: (error) => {
      prefixCode(error, app.options.errorCodePrefix)
      return error
    },
    log: (level, fields, line) => logSafely(app, () => reply.log[level](fields, line)),
  })
  function handle(this: unknown, request: unknown, reply: unknown): void {
    if (!(reply instanceof ReplyImpl)) return
    handshakes.open(reply, (connection) => {
      const socket = new MessageSocketImpl(connection, hostOf(reply))
      const run = async (): Promise<unknown> => handler.call(this, socket, request)
      const handled = run().then(
        () => socket.finish(null),
        (thrown: unknown) => socket.finish({ thrown }),
      )
      const stream = { close: () => socket.leave(), handled }
      app.eventStreams.add(stream)
      void handled.then(() => socket.closed).then(() => app.eventStreams.delete(stream))
    })
  }
  Object.defineProperty(handle, 'name', { value: handler.name, configurable: true })
  return { handle, limits }
}
