import { createJsonParser } from '../../body/default-parsers.ts'
import { OF_CONNECTION } from '../../exchange/message-head.ts'
import type { AnyFunction } from '../../guards.ts'
import { handOver, ReplyImpl } from '../../request/reply.ts'
import type { RequestServices } from '../../request/services.ts'
import { kExchange, kPlan, kState } from '../../symbols.ts'
import type {
  NodeConnection,
  PlatformConnection,
  RouteUpgrade,
  Upgrade,
  UpgradeMessages,
  UpgradeSession,
} from '../../types/upgrade.ts'
import { messagesOf, type Parse } from './messages.ts'

/** Returns a handler that gives requests for the protocol of the route to `take`, and others to the handler. */
export function takingHandler(
  handler: AnyFunction,
  upgrade: RouteUpgrade,
  app: RequestServices,
): AnyFunction {
  const protocol = upgrade.protocol.toLowerCase()
  const parseJson = createJsonParser({ ...app.options, ...app.exact })
  return function takeUpgrade(this: unknown, request: unknown, reply: unknown): unknown {
    if (!(reply instanceof ReplyImpl) || !isAsked(reply, protocol)) return handler.call(this, request, reply)
    const taking = new ReplyUpgrade(reply, (text) => parseJson(request, text))
    return Reflect.apply(upgrade.take, this, [taking, request, reply])
  }
}

/** Upgrade is ignored in HTTP/1.0 (RFC 9110 section 7.8). */
function isAsked({ request }: ReplyImpl, protocol: string): boolean {
  const { [kExchange]: exchange } = request
  return exchange.httpVersion !== '1.0' && exchange.header('upgrade')?.toLowerCase() === protocol
}

class ReplyUpgrade implements Upgrade {
  readonly label: string
  readonly #reply: ReplyImpl
  readonly #parse: Parse
  #messages: UpgradeMessages | null = null

  constructor(reply: ReplyImpl, parse: Parse) {
    this.label = reply[kPlan].label
    this.#reply = reply
    this.#parse = parse
  }

  get headers(): Upgrade['headers'] {
    const headers: Record<string, number | string | string[]> = {}
    for (const [name, value] of Object.entries(this.#reply.getHeaders())) {
      const isOfReply = OF_CONNECTION.has(name) || name.startsWith('content-')
      if (!isOfReply && value !== undefined) headers[name] = value
    }
    return headers
  }

  get messages(): UpgradeMessages {
    this.#messages ??= messagesOf(this.#reply, this.#parse)
    return this.#messages
  }

  get platform(): PlatformConnection | null {
    const reply = this.#reply
    const platform = reply.request[kExchange].platform
    if (platform === undefined) return null
    const { request, server } = platform
    const respond: PlatformConnection['respond'] = (response, closed) => {
      platform.respond(response, closed)
      handOver(reply)
    }
    return { request, server, respond }
  }

  takeConnection(): NodeConnection | null {
    const reply = this.#reply
    const raw = reply.request[kExchange].node?.request
    const taken = raw === undefined ? null : reply[kPlan].app.takeUpgrade(raw)
    if (taken !== null) handOver(reply)
    return taken
  }

  hold(session: UpgradeSession): void {
    const { eventStreams } = this.#reply[kPlan].app
    const stream = {
      close: () => session.close(),
      handled: session.ended.then(
        () => {},
        () => {},
      ),
    }
    eventStreams.add(stream)
    this.#reply[kState].held?.keepFor(stream.handled)
    void stream.handled.then(() => eventStreams.delete(stream))
  }
}
