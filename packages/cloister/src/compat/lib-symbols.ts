import { kOptions, kRouteContext, kSerializer } from '../symbols.ts'

/** The symbols that integrations import from `fastify/lib/symbols`. */
interface PeerSymbols {
  /** reply -> the serializer of that one reply, `null` for none */
  readonly kReplySerializer: symbol
  /** root instance -> the options as the application wrote them */
  readonly kOptions: symbol
  /** request -> the hooks of its route; on the request of a reply that is built by hand it is not read */
  readonly kRouteContext: symbol
  /** On an instance: nothing is there, since error handlers are found through the context. */
  readonly kErrorHandler: symbol
}

const symbols: PeerSymbols = {
  kReplySerializer: kSerializer,
  kOptions,
  kRouteContext,
  kErrorHandler: Symbol('cloister.compat.errorHandler'),
}

export default symbols
