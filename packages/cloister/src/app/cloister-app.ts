import { createRequire } from 'node:module'
import { networkInterfaces } from 'node:os'

import { createSchemaEngine } from '@cloister/schema'
import type { SchemaEngine } from '@cloister/schema'

import type { AppPhase, Seal } from '../app-state.ts'
import { boot } from '../boot/boot.ts'
import { close } from '../boot/close.ts'
import type { ManagedApp, SpecialPlans } from '../boot/managed-app.ts'
import { PluginQueue } from '../boot/plugin-queue.ts'
import { ReadyCallbacks } from '../boot/ready-callbacks.ts'
import { runApplicationHooks } from '../boot/run-application-hooks.ts'
import type { Context, NotFoundHandler } from '../context/context.ts'
import { createError, isError } from '../errors.ts'
import { isFunction, isRecord, typeName } from '../functions.ts'
import { lazyModules } from '../lazy-modules.ts'
import { createLogController } from '../logging/log-controller.ts'
import type { LogController } from '../logging/log-controller.ts'
import { createLogger } from '../logging/logger.ts'
import type { Logger } from '../logging/logger.ts'
import { createRequestLogger } from '../logging/request-log.ts'
import type { AppOptions } from '../options.ts'
import type { Place } from '../place.ts'
import { callNotFound, refuseNotFound } from '../request/call-not-found.ts'
import type { ReplyImpl } from '../request/reply.ts'
import type { RoutePlan } from '../request/route-plan.ts'
import { createAdHocCompilers } from '../routes/ad-hoc-compilers.ts'
import { MethodTable } from '../routes/methods.ts'
import { RouteTable } from '../routes/route-table.ts'
import { HttpTransport } from '../transport/http-transport.ts'
import type { ListenTarget } from '../transport/listen-options.ts'
import { publicConfig } from './initial-config.ts'

/** One app: what all its contexts share, and the only place that changes the state of its life. */
export class CloisterApp implements ManagedApp {
  readonly options: AppOptions
  readonly logger: Logger
  readonly hasLogger: boolean
  readonly logController: LogController
  readonly logsRequests: boolean
  readonly engine: SchemaEngine
  readonly exactEngine: SchemaEngine | null
  readonly routes: RouteTable
  readonly methods: MethodTable = new MethodTable()
  readonly adHoc: ManagedApp['adHoc'] = createAdHocCompilers()
  readonly trustProxy: ManagedApp['trustProxy']
  readonly root: Context
  readonly queue: PluginQueue
  readonly transport: HttpTransport
  readonly ownVersion: string
  readonly initialConfig: Readonly<Record<string, unknown>>
  readonly notFoundHandlers: NotFoundHandler[] = []
  readonly readyCallbacks: ReadyCallbacks = new ReadyCallbacks()
  readonly applicationHooks: ManagedApp['applicationHooks'] = {
    onReady: [],
    onListen: [],
    preClose: [],
    onClose: [],
  }
  readonly createRequestLogger: ManagedApp['createRequestLogger'] = createRequestLogger
  readonly parseQuery: (text: string) => unknown
  defaultRoute: AppOptions['defaultRoute']
  phase: AppPhase = 'loading'
  seal: Seal | null = null
  sequence = 0
  /** What `app.genReqId` is where the application has set none: an id that no request has. */
  readonly genReqId = (): string => `req-${(++this.sequence).toString(36)}`
  #special: SpecialPlans | null = null
  #booting: Promise<void> | null = null
  #listening: Promise<string | undefined> | null = null
  #closing: Promise<void> | null = null

  /**
   * @param options - the checked options
   * @param given - the options as the application wrote them
   * @param createRoot - makes the root context
   */
  constructor(options: AppOptions, given: unknown, createRoot: (app: CloisterApp) => Context) {
    this.options = options
    this.defaultRoute = options.defaultRoute
    const { logger, hasLogger } = createLogger(options.logger, options.loggerInstance)
    this.logger = logger
    this.hasLogger = hasLogger
    this.logController = createLogController(options)
    this.logsRequests = hasLogger || options.logController !== null
    this.engine = createSchemaEngine(engineOptions(options, options.ajv))
    this.exactEngine = options.coerceJsonBodies
      ? null
      : createSchemaEngine(engineOptions(options, withoutCoercion(options.ajv)))
    this.routes = new RouteTable(options)
    this.trustProxy = compileTrust(options.trustProxy)
    this.parseQuery = queryParser(options)
    this.ownVersion = readOwnVersion()
    this.initialConfig = publicConfig(options, given)
    this.root = createRoot(this)
    this.queue = new PluginQueue(this.root, options.pluginTimeout)
    this.transport = new HttpTransport(this, given)
  }

  get frameworkPlan(): RoutePlan {
    return this.#specialPlans().framework
  }

  findNotFound(target: string): RoutePlan {
    return this.#specialPlans().findNotFound(target)
  }

  callNotFound(reply: ReplyImpl): void {
    if (reply.request.is404) refuseNotFound(reply)
    else callNotFound(reply, this.findNotFound(reply.request.url))
  }

  #specialPlans(): SpecialPlans {
    if (this.#special === null) throw new Error('assertion: a request came in before the plans were made')
    return this.#special
  }

  useSpecialPlans(plans: SpecialPlans): void {
    this.#special = plans
  }

  /** @throws `CLO_ERR_NOT_FOUND_HANDLER_ALREADY_SET`, naming where the first one was set */
  addNotFoundHandler(context: Context, options: unknown, handler: unknown, place: Place): void {
    if (handler !== undefined && !isFunction(handler)) {
      throw createError('ERROR_HANDLER_NOT_FN', { type: typeName(handler) })
    }
    const first = this.notFoundHandlers.find((other) => other.context.prefix === context.prefix)
    if (first !== undefined) {
      const prefix = context.prefix || '/'
      throw createError('NOT_FOUND_HANDLER_ALREADY_SET', { prefix, first: first.place.toString() })
    }
    if (!isFunction(handler)) return
    const { preValidation, preHandler, errorHandler } = isRecord(options) ? options : {}
    this.notFoundHandlers.push({
      handler,
      preValidation: [preValidation ?? []].flat().filter(isFunction),
      preHandler: [preHandler ?? []].flat().filter(isFunction),
      errorHandler: isFunction(errorHandler) ? errorHandler : null,
      context,
      place,
    })
  }

  /** Boots once; whoever asks later is given the same promise. */
  boot(place: Place): Promise<void> {
    this.#booting ??= boot(this, { at: Date.now(), place })
    return this.#booting
  }

  /**
   * Listens, unless its signal calls it off: then the app closes, and there is no address.
   *
   * @throws `CLO_ERR_REOPENED_SERVER`, `CLO_ERR_REOPENED_CLOSE_SERVER`, and what Node says of the address
   */
  async listen(target: ListenTarget, place: Place): Promise<string | undefined> {
    if (this.#closing !== null) throw createError('REOPENED_CLOSE_SERVER', {})
    if (this.#listening !== null) throw createError('REOPENED_SERVER', {})
    const { signal } = target
    if (signal?.aborted === true) {
      await this.close()
      return undefined
    }
    signal?.addEventListener('abort', () => void this.close(), { once: true })
    this.#listening = this.#listen(target, place)
    try {
      return await this.#listening
    } catch (error) {
      this.#listening = null
      throw error
    }
  }

  async #listen(target: ListenTarget, place: Place): Promise<string | undefined> {
    await this.boot(place)
    // Closing waits for whoever listens, so it is not waited for here. The app may have been closed while it booted, too.
    if (target.signal?.aborted === true) return undefined
    if (this.#closing !== null) throw createError('REOPENED_CLOSE_SERVER', {})
    const address = await this.transport.listen(target)
    for (const text of this.#reachableAt(address)) this.logger.info(target.textResolver(text))
    for (const hook of this.applicationHooks.onListen) {
      await runApplicationHooks('onListen', [hook], this.options.pluginTimeout).catch((err: unknown) =>
        this.logger.error({ err }, `an onListen hook failed: ${isError(err) ? err.message : String(err)}`),
      )
    }
    return address
  }

  /** An unspecified address stands for all of the machine's. */
  #reachableAt(address: string): string[] {
    if (!address.includes('//0.0.0.0:') && !address.includes('//[::]:')) return [address]
    const family = address.includes('0.0.0.0') ? 'IPv4' : ''
    return Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter((one) => family === '' || one.family === family)
      .map((one) =>
        address.replace(/0\.0\.0\.0|\[::\]/, one.family === 'IPv6' ? `[${one.address}]` : one.address),
      )
  }

  get listeningOrigin(): string {
    const [address] = this.transport.addresses
    if (address === undefined || typeof address === 'string' || address === null) return address ?? ''
    const scheme = this.options.https === null ? 'http' : 'https'
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
    return `${scheme}://${host}:${address.port}`
  }

  /** True from the moment that somebody asks for the end. */
  get isClosing(): boolean {
    return this.#closing !== null
  }

  close(): Promise<void> {
    this.#closing ??= close(this, this.#booting)
    return this.#closing
  }

  async stopListening(): Promise<void> {
    await this.#listening?.catch(() => {})
    await this.transport.stop()
  }

  /** Schemas that were put off are compiled in slices of a few milliseconds while nothing else waits. */
  startIdleCompilation(): void {
    const slice = (): void => {
      if (this.phase !== 'ready') return
      const until = performance.now() + 4
      let more = true
      while (more && performance.now() < until) more = this.engine.compileNext()
      if (more) setTimeout(slice, 20).unref()
    }
    setTimeout(slice, 20).unref()
  }
}

function readOwnVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)('../../package.json')
  return isRecord(manifest) ? String(manifest['version']) : ''
}

function engineOptions(
  options: AppOptions,
  ajv: AppOptions['ajv'],
): Parameters<typeof createSchemaEngine>[0] {
  const { serializerOpts, serialization, schemaCompilation, unionErrors } = options
  return {
    ...(Object.keys(ajv).length === 0 ? {} : { ajv }),
    serializerOpts,
    serialization,
    schemaCompilation,
    unionErrors,
  }
}

/** The same settings of Ajv, but for coercion. */
function withoutCoercion(ajv: AppOptions['ajv']): AppOptions['ajv'] {
  const { customOptions } = ajv
  // Without coercion a union of types is no ambiguity, of which Ajv would otherwise warn.
  const own = isRecord(customOptions) ? customOptions : {}
  return { ...ajv, customOptions: { strictTypes: false, ...own, coerceTypes: false } }
}

function queryParser(options: AppOptions): (text: string) => unknown {
  const { querystringParser } = options
  if (querystringParser !== null) return (text) => querystringParser(text)
  const { parse } = lazyModules.fastQuerystring
  return (text) => parse(text)
}

function compileTrust(trust: AppOptions['trustProxy']): ManagedApp['trustProxy'] {
  if (trust === false) return null
  if (trust === true) return () => true
  if (isFunction(trust)) return (address, hop) => trust(address, hop) === true
  if (typeof trust === 'number') return (_address, hop) => hop < trust
  const list = typeof trust === 'string' ? trust.split(',').map((entry) => entry.trim()) : [...trust]
  return lazyModules.proxyAddr.compile(list)
}
