import { kOptions, kSerializer } from '../symbols.ts'

/** The keys that integrations read when they reach into the peer's sources for `fastify/lib/symbols`. */
interface PeerSymbols {
  /** reply -> the serializer of that one reply, `null` for none */
  readonly kReplySerializer: symbol
  /** root instance -> the options as the application wrote them */
  readonly kOptions: symbol
  /** On the request of a reply that is built by hand: not read here. */
  readonly kRouteContext: symbol
  /** On an instance: nothing is there, since error handlers are found through the context. */
  readonly kErrorHandler: symbol
}

const symbols: PeerSymbols = {
  kReplySerializer: kSerializer,
  kOptions,
  kRouteContext: Symbol('cloister.compat.routeContext'),
  kErrorHandler: Symbol('cloister.compat.errorHandler'),
}

export default symbols
