import type { SchemaEngine } from '@cloister/schema'

import { boot } from '../boot/boot.ts'
import { close } from '../boot/close.ts'
import type { ManagedApp } from '../boot/managed-app.ts'
import { PluginQueue } from '../boot/plugins/plugin-queue.ts'
import { runApplicationHook } from '../hooks/run-application-hook.ts'
import type { Context } from '../context/context.ts'
import { Overrides } from '../context/overrides.ts'
import type { AppPhase, NotFoundHandler, Seal } from '../context/services.ts'
import { createError } from '../errors.ts'
import { messageOf } from '../read-error.ts'
import { routeMeta } from '../inspect/print.ts'
import type { LibrarySchemas } from '../libraries/library-schemas.ts'
import { createLogController, type LogController } from '../logging/log-controller.ts'
import { createRequestLines, type RequestLines } from '../logging/request-lines.ts'
import { UnloggedErrors } from '../logging/unlogged-errors.ts'
import { logSafely } from '../logging/request-log.ts'
import { createLogger, type Logger } from '../logging/logger.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import type { ExactInput } from '../body/exact/rules.ts'
import type { Judge } from '../request/report/judge.ts'
import type { CallSite } from '../call-site.ts'
import { Guards } from '../context/guard.ts'
import { Releases } from '../request/held-values.ts'
import { EventStreams } from '../request/event-streams.ts'
import type { StageObserver } from '../request/stages.ts'
import { Intake } from '../request/intake.ts'
import type { NotFound } from '../request/services.ts'
import type { RoutePlan } from '../request/route-plan.ts'
import { CompilerFinder, createAdHocCompilers } from '../routes/schemas/compilers.ts'
import { HeaderPresets } from '../routes/plan/header-presets.ts'
import { RequestObservers } from '../routes/plan/request-observers.ts'
import type { SpecialPlans } from '../routes/plan/compile-plans.ts'
import { MethodTable } from '../routes/methods.ts'
import { findRoute, RouteTable } from '../routes/route-table.ts'
import { FetchEntry } from '../transport/fetch/fetch-entry.ts'
import { createTransport } from '../transport/create-transport.ts'
import type { Transport } from '../transport/transport.ts'
import type { NodeConnection } from '../types/upgrade.ts'
import { upgradeOf } from '../routes/upgrades/upgrade-option.ts'
import { readListenTarget, type ListenTarget } from '../transport/listen-options.ts'
import {
  compileTrust,
  createLibraries,
  createJudge,
  createQueryParser,
  createSchemaEngines,
  exactInputOf,
} from './compile-options.ts'
import type { Pump } from '../exchange/streams.ts'
import { pump } from '../transport/streams/pump.ts'
import { prefixCode } from '../error-prefix.ts'
import { isFunction, typeName, type Dictionary } from '../guards.ts'
import { publicConfig } from '../options/public-config.ts'
import { kApp } from '../symbols.ts'

/** The version of this package. It is a constant so that bundles don't need the manifest; a test compares the two. */
export const OWN_VERSION = '0.1.0'

const SERVED_BY = { wire: '@cloister/wire', node: "Node's own server" } as const

/** One app: the state that all its contexts share. `boot/boot.ts` and `boot/close.ts` change its phase. */
export class CloisterApp implements ManagedApp {
  readonly options: AppOptions
  readonly logger: Logger
  readonly hasLogger: boolean
  readonly isPino: boolean
  logHasThrown: boolean = false
  readonly logController: LogController
  readonly requestLines: RequestLines | null
  readonly logsRequests: boolean
  readonly logsErrors: boolean
  readonly engine: SchemaEngine
  readonly uncoercedEngine: () => SchemaEngine
  readonly routes: RouteTable
  readonly methods: MethodTable = new MethodTable()
  readonly overrides: Overrides = new Overrides()
  readonly compilers: CompilerFinder = new CompilerFinder()
  readonly trustProxy: ManagedApp['trustProxy']
  readonly root: Context
  readonly queue: PluginQueue
  readonly intake: Intake
  readonly transport: Transport
  readonly fetchEntry: FetchEntry
  readonly initialConfig: Dictionary
  readonly notFoundHandlers: NotFoundHandler[] = []
  readonly readyCallbacks: ManagedApp['readyCallbacks'] = []
  readonly applicationHooks: ManagedApp['applicationHooks'] = {
    onReady: [],
    onListen: [],
    preClose: [],
    onClose: [],
  }
  readonly exact: ExactInput
  readonly judge: Judge | null
  readonly parseQuery: ManagedApp['parseQuery']
  defaultRoute: AppOptions['defaultRoute']
  phase: AppPhase = 'loading'
  servesToTheEnd = false
  seal: Seal | null = null
  stageObserver: StageObserver | null = null
  readonly requestObservers: RequestObservers = new RequestObservers()
  readonly headerPresets: HeaderPresets = new HeaderPresets()
  sequence = 0
  readonly contradictions: Set<string> = new Set()
  readonly eventStreams: EventStreams = new EventStreams()
  readonly releases: Releases = new Releases()
  readonly guards: Guards = new Guards()
  readonly pump: Pump = pump
  /** The default of `app.genReqId`. It returns an id that no request has. */
  readonly genReqId = (): string => `req-${(++this.sequence).toString(36)}`
  #libraries: LibrarySchemas | null = null
  #special: SpecialPlans | null = null
  #booting: Promise<void> | null = null
  #listening: Promise<string | undefined> | null = null
  #adHoc: ManagedApp['adHoc'] | null = null
  #closing: Promise<void> | null = null

  /**
   * @param options - the checked options
   * @param given - the options as the application wrote them
   * @param createRoot - creates the root context
   */
  constructor(
    options: AppOptions,
    given: Dictionary,
    createRoot: (app: CloisterApp, given: object) => Context,
  ) {
    this.options = options
    this.defaultRoute = options.defaultRoute
    const { logger, hasLogger, isPino } = createLogger(options.logger, options.loggerInstance)
    this.logger = logger
    this.hasLogger = hasLogger
    this.isPino = isPino
    this.logsRequests = hasLogger || options.logController !== null
    this.logsErrors = this.logsRequests || !options.exposeErrors
    const isUnlogged = this.logsErrors && !this.logsRequests
    this.logController = isUnlogged ? new UnloggedErrors() : createLogController(options)
    this.requestLines = isPino ? createRequestLines(logger, this.logController) : null
    this.judge = createJudge(this, options, given)
    this.exact = exactInputOf(options, this.judge)
    const { engine, uncoercedEngine } = createSchemaEngines(options)
    this.engine = engine
    this.uncoercedEngine = uncoercedEngine
    this.routes = new RouteTable(options, routeMeta, (name, err) => {
      const line = `the constraint '${name}' failed after it had called 'done'; its error has no effect any more`
      logSafely(this, () => this.logger.warn({ err }, line))
    })
    this.trustProxy = compileTrust(options.trustProxy)
    this.parseQuery = createQueryParser(options, this.exact)
    this.initialConfig = publicConfig(options, given)
    this.root = createRoot(this, given)
    this.queue = new PluginQueue(this.root, options.pluginTimeout)
    this.intake = new Intake(this)
    this.transport = createTransport(this, given)
    this.fetchEntry = new FetchEntry(this)
  }

  /** The schemas of other libraries, which few apps have. */
  get libraries(): LibrarySchemas {
    this.#libraries ??= createLibraries(this.options)
    return this.#libraries
  }

  get frameworkPlan(): RoutePlan {
    return this.#specialPlans().framework
  }

  findNotFound(target: string): NotFound {
    return this.#specialPlans().findNotFound(target)
  }

  notFoundOf(context: Context): RoutePlan {
    return this.#specialPlans().notFoundOf(context)
  }

  #specialPlans(): SpecialPlans {
    if (this.#special === null) throw new Error('assertion: a request came in before the plans were made')
    return this.#special
  }

  useSpecialPlans(plans: SpecialPlans): void {
    this.#special = plans
  }

  acceptUpgrades(): void {
    const offered = this.routes.records.map(upgradeOf).filter((one) => one !== null)
    if (offered.length === 0) return
    const protocols = new Set(offered.map(({ protocol }) => protocol.toLowerCase()))
    this.transport.node?.acceptUpgrades(protocols, (url) => {
      const found = findRoute(this.routes, { method: 'GET', url })
      return found !== null && upgradeOf(found.stored) !== null
    })
  }

  takeUpgrade(request: object): NodeConnection | null {
    return this.transport.node?.takeUpgrade(request) ?? null
  }

  boot(callSite: CallSite): Promise<void> {
    this.#booting ??= boot(this, { at: Date.now(), callSite })
    return this.#booting
  }

  /**
   * Starts listening. If its signal aborts first, the app closes and the address is `undefined`.
   *
   * @throws `CLO_ERR_REOPENED_SERVER`, `CLO_ERR_REOPENED_CLOSE_SERVER`, and Node's errors about the address
   */
  async listen(given: readonly unknown[], callSite: CallSite): Promise<string | undefined> {
    const target = readListenTarget(given)
    if (this.#closing !== null) throw createError('REOPENED_CLOSE_SERVER', {})
    if (this.#listening !== null) throw createError('REOPENED_SERVER', {})
    const { signal } = target
    if (signal?.aborted === true) {
      await this.closeOnce()
      return undefined
    }
    signal?.addEventListener('abort', () => void this.closeOnce(), { once: true })
    this.#listening = this.#listen(target, callSite)
    try {
      return await this.#listening
    } catch (error) {
      this.#listening = null
      throw error
    }
  }

  async #listen(target: ListenTarget, callSite: CallSite): Promise<string | undefined> {
    await this.boot(callSite)
    // `close` waits for `listen`, so `listen` must not wait for `close`. The app may also have been closed during the
    // boot.
    if (target.signal?.aborted === true) return undefined
    if (this.#closing !== null) throw createError('REOPENED_CLOSE_SERVER', {})
    const { origin, reachableAt } = await this.transport.listen(target)
    const { name, reason } = this.transport.lane
    const { laneCost } = this.transport
    const served = `requests are served by ${SERVED_BY[name]}: ${reason}`
    logSafely(this, () =>
      laneCost === null
        ? this.logger.debug({ transport: name }, served)
        : this.logger.info({ transport: name }, `${served}. ${laneCost}`),
    )
    for (const address of reachableAt) {
      const line = target.textResolver(address)
      logSafely(this, () => this.logger.info(line))
    }
    for (const hook of this.applicationHooks.onListen) {
      await runApplicationHook(hook, this.options.pluginTimeout).catch((thrown: unknown) => {
        const err = prefixCode(thrown, this.options)
        logSafely(this, () => this.logger.error({ err }, `an onListen hook failed: ${messageOf(err)}`))
      })
    }
    return origin
  }

  get adHoc(): ManagedApp['adHoc'] {
    this.#adHoc ??= createAdHocCompilers()
    return this.#adHoc
  }

  get isClosing(): boolean {
    return this.#closing !== null
  }

  /** All calls until the app is closed get one promise. A failed hook is no error of a later call: the app is closed. */
  closeOnce(): Promise<void> {
    this.#closing ??= close(this, () => this.#booting)
    return this.phase === 'closed' ? Promise.resolve() : this.#closing
  }

  async stopListening(graceMs: number): Promise<void> {
    await this.#listening?.catch(() => {})
    await Promise.all([this.transport.stop(graceMs), this.fetchEntry.drain(graceMs)])
  }
}

/**
 * Returns the app of an instance that was passed to a tool.
 *
 * @param refuse - creates the error for a value that is not an instance; `got` describes the value
 */
export function appOf(instance: object, refuse: (got: string) => Error): CloisterApp {
  const app: unknown = Reflect.get(instance, kApp)
  if (app instanceof CloisterApp) return app
  throw refuse(
    isFunction(Reflect.get(instance, 'explain'))
      ? 'one of another copy of cloister; install one copy (npm ls cloister lists them)'
      : typeName(instance),
  )
}
