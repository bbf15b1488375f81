import {
  kAppState,
  kOptions,
  kPluginNames,
  kReplyHeaders,
  kRouteContext,
  kRoutePrefix,
  kSerializer,
} from '../symbols.ts'

/** The symbols that integrations import from `fastify/lib/symbols`. */
interface PeerSymbols {
  /** reply -> the serializer of this reply, or `null` */
  readonly kReplySerializer: symbol
  /** reply -> the headers set so far, with names in lower case */
  readonly kReplyHeaders: symbol
  /** instance -> whether the app has booted, listens and closes */
  readonly kState: symbol
  readonly kRoutePrefix: symbol
  readonly kPluginNameChain: symbol
  /** root instance -> the options as the application wrote them */
  readonly kOptions: symbol
  /** request -> the hooks of its route; not read from a request that was built by hand */
  readonly kRouteContext: symbol
  /** instance -> always absent, because error handlers are found through the context */
  readonly kErrorHandler: symbol
}

const symbols: PeerSymbols = {
  kReplySerializer: kSerializer,
  kReplyHeaders,
  kState: kAppState,
  kRoutePrefix,
  kPluginNameChain: kPluginNames,
  kOptions,
  kRouteContext,
  kErrorHandler: Symbol('cloister.compat.errorHandler'),
}

export default symbols
