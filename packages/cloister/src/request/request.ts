import { readDecorator, writeDecorator } from '../context/decorators.ts'
import { parseMediaType, typeIn, type MediaType } from '../body/media-type.ts'
import { assertLogger } from '../logging/assert-logger.ts'
import type { Logger } from '../logging/logger.ts'
import { kExchange, kPlan, kRouteContext, kState } from '../symbols.ts'
import { compileInputValidator, findValidator, validateInput } from './members/ad-hoc.ts'
import { nodeOf, rawRequestOrView } from '../exchange/node-access.ts'
import { requestViewOf } from '../exchange/raw-views.ts'
import type { Exchange, RequestHeaders } from '../exchange/exchange.ts'
import { readHost, readIps, readProtocol } from './members/forwarded.ts'
import { requestSignal } from './watch.ts'
import type { RoutePlan } from './route-plan.ts'
import type { Implementation, RequestData } from './state.ts'
import { atOnce } from '../errors.ts'
import { createChildLogger, logSafely } from '../logging/request-log.ts'
import { forRequestHooks } from '../hooks/names.ts'
import type { CloisterRequest } from '../types/request.ts'
import { makeAssignable, type Dictionary } from '../guards.ts'

/** The media type of the body, parsed once, so that parsers and schemas see the same value. */
export function mediaTypeOf(request: RequestImpl): MediaType {
  return (request[kState].mediaType ??= parseMediaType(request[kExchange].header('content-type')))
}

/** The fields that its constructor sets. */
export interface RequestImpl {
  [kExchange]: Exchange
  [kPlan]: RoutePlan
  [kState]: RequestData
}

/**
 * One request, as handlers and hooks see it: a lazy view over the exchange. The constructor sets every field, so that
 * all requests of a context share one hidden class.
 *
 * The public types of three members are Fastify's and less precise: `ip` is `undefined` over a Unix socket, and the
 * deprecated ones have the values that the route was given.
 */
export class RequestImpl implements Implementation<
  Omit<CloisterRequest, 'ip' | 'routerPath' | 'routerMethod'>
> {
  /** the values of the path's parameters */
  params: unknown
  /** the parsed body, `undefined` when there is none */
  body: unknown
  /** with `attachValidation`: the error of an invalid request */
  validationError: Error | undefined

  constructor(exchange: Exchange, plan: RoutePlan, params: unknown, queryText: string, sequence: number) {
    this[kExchange] = exchange
    this[kPlan] = plan
    this[kState] = {
      queryText,
      query: undefined,
      sequence,
      id: null,
      log: null,
      lineBindings: null,
      headers: null,
      mediaType: null,
      bodyStream: null,
      bodyBytes: null,
      parser: null,
      controller: null,
      originalUrl: null,
      observer: null,
    }
    this.params = params
    this.body = undefined
    this.validationError = undefined
  }

  get id(): string {
    const state = this[kState]
    return (state.id ??= createRequestId(this, state.sequence))
  }

  set id(id: string) {
    const state = this[kState]
    // The lines of its log keep the id that the first one has.
    if (this[kPlan].app.requestLines !== null && state.id !== null) void this.log
    state.id = id
  }

  get log(): Logger {
    return (this[kState].log ??= createRequestLogger(this))
  }

  set log(log: Logger) {
    this[kState].log = log
  }

  /** @throws `CLO_ERR_RAW_UNAVAILABLE` where the transport has no objects of Node */
  get raw(): object {
    const { node } = this[kExchange]
    return node === null ? requestViewOf(this[kExchange]) : node.request
  }

  /** Sets the raw request that all members read from; it may be a proxy of the first one. */
  set raw(raw: object) {
    this[kExchange] = nodeOf(this[kExchange], 'request.raw').over(raw, null)
    this[kState].mediaType = null
  }

  get server(): object {
    return this[kPlan].context.instance
  }

  get query(): unknown {
    const state = this[kState]
    const { query } = state
    return query === undefined ? (state.query = this[kPlan].app.parseQuery(state.queryText, this)) : query
  }

  set query(query: unknown) {
    this[kState].query = query
  }

  get headers(): RequestHeaders {
    return this[kState].headers ?? this[kExchange].headers
  }

  /** Merges the assigned headers over the received ones; a second assignment replaces the first. */
  set headers(headers: RequestHeaders) {
    this[kState].headers = { ...this[kExchange].headers, ...headers }
  }

  get mediaType(): string | undefined {
    return typeIn(mediaTypeOf(this))
  }

  get method(): string {
    return this[kExchange].method
  }

  get url(): string {
    return this[kExchange].target
  }

  get originalUrl(): string {
    return (this[kState].originalUrl ??= originalUrlOf(this[kExchange]))
  }

  /** @throws `CLO_ERR_RAW_UNAVAILABLE` where the transport has no objects of Node */
  get socket(): object | undefined {
    return nodeOf(this[kExchange], 'request.socket').socket
  }

  get req(): object {
    return this.raw
  }

  get connection(): object | undefined {
    return this.socket
  }

  /** The address of the client; `undefined` if the connection has none and no trusted proxy has sent one. */
  get ip(): string | undefined {
    const ips = readIps(this)
    return ips === undefined ? this[kExchange].peer.address : ips.at(-1)
  }

  get ips(): string[] | undefined {
    return readIps(this)
  }

  get host(): string {
    return readHost(this)
  }

  /** The host without its port. */
  get hostname(): string {
    const host = readHost(this)
    return host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : (host.split(':', 1)[0] ?? '')
  }

  get port(): number | null {
    const match = /:(\d+)$/.exec(readHost(this))
    return match === null ? null : Number(match[1])
  }

  get protocol(): 'http' | 'https' {
    return readProtocol(this)
  }

  get signal(): AbortSignal {
    return requestSignal(this).signal
  }

  get lastEventId(): string | undefined {
    return this[kExchange].header('last-event-id')
  }

  get is404(): boolean {
    return this[kPlan].isNotFound
  }

  get routeOptions(): Dictionary {
    return this[kPlan].routeOptions()
  }

  get routeConfig(): unknown {
    return this[kPlan].routeOptions()['config']
  }

  get routeSchema(): unknown {
    return this[kPlan].routeOptions()['schema']
  }

  get routerPath(): unknown {
    return this[kPlan].routeOptions()['url']
  }

  get routerMethod(): unknown {
    return this[kPlan].routeOptions()['method']
  }

  get context(): { config: unknown } {
    return { config: this.routeConfig }
  }

  getValidationFunction(partOrSchema: unknown): unknown {
    return findValidator(this, partOrSchema)
  }

  compileValidationSchema(schema: object, httpPart?: string): unknown {
    return compileInputValidator(this, schema, httpPart)
  }

  validateInput(input: unknown, schemaOrPart: unknown, httpPart?: string): unknown {
    return validateInput(this, input, schemaOrPart, httpPart)
  }

  getDecorator(name: string | symbol): unknown {
    return readDecorator(this, name, 'request')
  }

  setDecorator(name: string | symbol, value: unknown): void {
    writeDecorator(this, name, value, 'request')
  }
}

/** Members that a version of Fastify doesn't have: an app for that version may have its own. */
const MEMBERS_OF_ONE_LINE =
  'connection context host ips lastEventId mediaType port req routeConfig routeSchema routerMethod routerPath signal'
makeAssignable(RequestImpl.prototype, MEMBERS_OF_ONE_LINE.split(' '))

/** The hooks of a route in the form that tools of the ecosystem read behind a symbol; `null` where it has none. */
Object.defineProperty(RequestImpl.prototype, kRouteContext, {
  get(this: RequestImpl): object {
    const { hooks } = this[kPlan]
    return forRequestHooks((name) => (hooks[name].length === 0 ? null : hooks[name].map(({ call }) => call)))
  },
  configurable: true,
})

/** Connect middleware that rewrites the target keeps the original on the raw request. */
function originalUrlOf({ node, originalTarget }: Exchange): string {
  const kept: unknown =
    node === null || node.madeRequest === null ? undefined : Reflect.get(node.madeRequest, 'originalUrl')
  return typeof kept === 'string' ? kept : originalTarget
}

/**
 * Returns the id of a request: the header that `requestIdHeader` names, else the result of `genReqId`, else `req-`
 * and a growing number. If `genReqId` throws, the error is logged and the request gets a generated id.
 */
function createRequestId(request: RequestImpl, sequence: number): string {
  const { app, genReqId, context } = request[kPlan]
  const { requestIdHeader } = app.options
  if (requestIdHeader !== false) {
    const sent = request[kExchange].header(requestIdHeader)
    if (sent !== undefined && sent !== '') return sent
  }
  if (genReqId !== null) {
    try {
      const id = genReqId.call(context.instance, rawRequestOrView(request[kExchange]))
      const made = atOnce(id, 'genReqId')
      return isRequestId(made) ? made : String(made)
    } catch (err) {
      logSafely(app, () => app.logger.error({ err }, 'genReqId failed'))
    }
  }
  return `req-${sequence.toString(36)}`
}

/** Types say that ids are strings; the numbers of a counter are also ids, and stay numbers in log lines. */
const isRequestId = (value: unknown): value is string =>
  typeof value === 'string' || typeof value === 'number'

/** The logger of one request: a child with its id, and the level and serializers of its route. */
function createRequestLogger(request: RequestImpl): Logger {
  const { app, context, logLevel, logSerializers, childLoggerFactory } = request[kPlan]
  if (!app.hasLogger && childLoggerFactory === null) return app.logger
  const bindings: Record<string, unknown> = { [app.logController.requestIdLogLabel]: request.id }
  const { observer } = request[kState]
  if (observer !== null) Object.assign(bindings, observer.logFields)
  // With options, even empty ones, pino configures a new child.
  if (app.isPino && childLoggerFactory === null && logLevel === '' && logSerializers === null) {
    return app.logger.child(bindings)
  }
  const options: Record<string, unknown> = {}
  if (logLevel !== '') options['level'] = logLevel
  if (logSerializers !== null) options['serializers'] = logSerializers
  if (childLoggerFactory === null) {
    return atOnce(createChildLogger(app.logger, bindings, options), 'child of the logger')
  }
  const child: unknown = childLoggerFactory.call(
    context.instance,
    app.logger,
    bindings,
    options,
    rawRequestOrView(request[kExchange]),
  )
  atOnce(child, 'childLoggerFactory')
  assertLogger(child)
  return child
}
