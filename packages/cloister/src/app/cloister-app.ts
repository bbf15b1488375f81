import type { SchemaEngine } from '@cloister/schema'

import { boot } from '../boot/boot.ts'
import { close } from '../boot/close.ts'
import type { ManagedApp } from '../boot/managed-app.ts'
import { PluginQueue } from '../boot/plugins/plugin-queue.ts'
import { ReadyCallbacks } from '../boot/ready-callbacks.ts'
import { runApplicationHook } from '../hooks/run-application-hook.ts'
import type { Context } from '../context/context.ts'
import { Overrides } from '../context/overrides.ts'
import type { NotFoundHandler } from '../context/not-found-handler.ts'
import type { AppPhase, Seal } from '../context/services.ts'
import { createError } from '../errors.ts'
import { messageOf } from '../read-error.ts'
import { routeMeta } from '../inspect/print.ts'
import { LibrarySchemas } from '../libraries/library-schemas.ts'
import { createLogController, type LogController } from '../logging/log-controller.ts'
import { logSafely } from '../logging/request-log.ts'
import { createLogger, type Logger } from '../logging/logger.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import type { CallSite } from '../call-site.ts'
import { EventStreams } from '../request/event-streams.ts'
import type { StageObserver } from '../request/stages.ts'
import { Intake } from '../request/intake.ts'
import type { RoutePlan } from '../request/route-plan.ts'
import { CompilerFinder } from '../routes/schemas/compilers.ts'
import { createAdHocCompilers } from '../routes/schemas/ad-hoc-compilers.ts'
import type { SpecialPlans } from '../routes/plan/compile-plans.ts'
import { MethodTable } from '../routes/methods.ts'
import { RouteTable } from '../routes/route-table.ts'
import { FetchEntry } from '../transport/fetch/fetch-entry.ts'
import { createTransport } from '../transport/create-transport.ts'
import type { Transport } from '../transport/transport.ts'
import type { ListenTarget } from '../transport/listen-options.ts'
import { compileTrust, createQueryParser } from './compile-options.ts'
import { createCoercer, createSchemaEngines } from './schema-engines.ts'
import type { Pump } from '../exchange/streams.ts'
import { pump } from '../transport/streams/pump.ts'
import { isRecord } from '../guards.ts'
import { unknownOptions } from '../options/check-options.ts'
import { OPTIONS, optionNames, ROUTER_OPTIONS } from '../options/option-table.ts'

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
  readonly logsRequests: boolean
  readonly engine: SchemaEngine
  readonly uncoercedEngine: SchemaEngine | null
  readonly #messageEngine: () => SchemaEngine
  readonly libraries: LibrarySchemas
  readonly routes: RouteTable
  readonly methods: MethodTable = new MethodTable()
  readonly overrides: Overrides = new Overrides()
  readonly adHoc: ManagedApp['adHoc'] = createAdHocCompilers()
  readonly compilers: CompilerFinder = new CompilerFinder()
  readonly trustProxy: ManagedApp['trustProxy']
  readonly root: Context
  readonly queue: PluginQueue
  readonly intake: Intake
  readonly transport: Transport
  readonly fetchEntry: FetchEntry
  readonly ownVersion: string = OWN_VERSION
  readonly initialConfig: Readonly<Record<string, unknown>>
  readonly notFoundHandlers: NotFoundHandler[] = []
  readonly readyCallbacks: ReadyCallbacks = new ReadyCallbacks()
  readonly applicationHooks: ManagedApp['applicationHooks'] = {
    onReady: [],
    onListen: [],
    preClose: [],
    onClose: [],
  }
  readonly parseQuery: (text: string) => unknown
  defaultRoute: AppOptions['defaultRoute']
  phase: AppPhase = 'loading'
  seal: Seal | null = null
  stageObserver: StageObserver | null = null
  sequence = 0
  readonly contradictions: Set<string> = new Set()
  readonly eventStreams: EventStreams = new EventStreams()
  readonly pump: Pump = pump
  /** The default of `app.genReqId`. It returns an id that no request has. */
  readonly genReqId = (): string => `req-${(++this.sequence).toString(36)}`
  #special: SpecialPlans | null = null
  #booting: Promise<void> | null = null
  #listening: Promise<string | undefined> | null = null
  #closing: Promise<void> | null = null

  /**
   * @param options - the checked options
   * @param given - the options as the application wrote them
   * @param createRoot - creates the root context
   */
  constructor(
    options: AppOptions,
    given: Readonly<Record<string, unknown>>,
    createRoot: (app: CloisterApp) => Context,
  ) {
    this.options = options
    this.defaultRoute = options.defaultRoute
    const { logger, hasLogger, isPino } = createLogger(options.logger, options.loggerInstance)
    this.logger = logger
    this.hasLogger = hasLogger
    this.isPino = isPino
    this.logController = createLogController(options)
    this.logsRequests = hasLogger || options.logController !== null
    const { engine, uncoercedEngine, messageEngine } = createSchemaEngines(options)
    this.engine = engine
    this.uncoercedEngine = uncoercedEngine
    this.#messageEngine = messageEngine
    this.libraries = new LibrarySchemas(() => createCoercer(options))
    this.routes = new RouteTable(options, routeMeta, (name, err) => {
      const line = `the constraint '${name}' failed after it had called 'done'; its error has no effect any more`
      logSafely(this, () => this.logger.warn({ err }, line))
    })
    this.trustProxy = compileTrust(options.trustProxy)
    this.parseQuery = createQueryParser(options)
    this.initialConfig = publicConfig(options, given)
    this.root = createRoot(this)
    this.queue = new PluginQueue(this.root, options.pluginTimeout)
    this.intake = new Intake(this)
    this.transport = createTransport(this, given)
    this.fetchEntry = new FetchEntry(this)
  }

  get messageEngine(): SchemaEngine {
    return this.#messageEngine()
  }

  get frameworkPlan(): RoutePlan {
    return this.#specialPlans().framework
  }

  findNotFound(target: string): RoutePlan {
    return this.#specialPlans().findNotFound(target)
  }

  #specialPlans(): SpecialPlans {
    if (this.#special === null) throw new Error('assertion: a request came in before the plans were made')
    return this.#special
  }

  useSpecialPlans(plans: SpecialPlans): void {
    this.#special = plans
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
  async listen(target: ListenTarget, callSite: CallSite): Promise<string | undefined> {
    if (this.#closing !== null) throw createError('REOPENED_CLOSE_SERVER', {})
    if (this.#listening !== null) throw createError('REOPENED_SERVER', {})
    const { signal } = target
    if (signal?.aborted === true) {
      await this.close()
      return undefined
    }
    signal?.addEventListener('abort', () => void this.close(), { once: true })
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
    const served = `requests are served by ${SERVED_BY[name]}: ${reason}`
    logSafely(this, () => this.logger.debug({ transport: name }, served))
    for (const address of reachableAt) {
      const line = target.textResolver(address)
      logSafely(this, () => this.logger.info(line))
    }
    for (const hook of this.applicationHooks.onListen) {
      await runApplicationHook(hook, this.options.pluginTimeout).catch((err: unknown) =>
        logSafely(this, () => this.logger.error({ err }, `an onListen hook failed: ${messageOf(err)}`)),
      )
    }
    return origin
  }

  get isClosing(): boolean {
    return this.#closing !== null
  }

  close(): Promise<void> {
    this.#closing ??= close(this, this.#booting)
    return this.#closing
  }

  async stopListening(graceMs: number): Promise<void> {
    await this.#listening?.catch(() => {})
    await Promise.all([this.transport.stop(graceMs), this.fetchEntry.drain(graceMs)])
  }
}

/** Options that `app.initialConfig` always shows. */
const SHOWN = optionNames(({ shown }) => shown === 'always')

/** Options that it shows only if the application set them. */
const SHOWN_WHERE_GIVEN = optionNames(({ shown }) => shown === 'given')

/** Options that it repeats below `routerOptions` if the application set them there. */
const SHOWN_OF_ROUTER = ROUTER_OPTIONS.filter((name) => OPTIONS.get(name)?.shown !== undefined)

function pick(options: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(options, name)]))
}

/**
 * Returns `app.initialConfig`: the checked options that plugins may read, and the unknown options that the application
 * passes on to plugins. It contains no keys or certificates.
 *
 * @param given - the options as the application wrote them
 */
function publicConfig(
  options: AppOptions,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { https, constraints } = options
  const whereGiven = SHOWN_WHERE_GIVEN.filter((name) => given[name] !== undefined)
  const shown = {
    ...pick(given, unknownOptions(given)),
    ...pick(options, [...whereGiven, ...SHOWN]),
  }
  if (isRecord(given['routerOptions'])) shown['routerOptions'] = Object.freeze(pick(options, SHOWN_OF_ROUTER))
  if (https !== null)
    shown['https'] = 'allowHTTP1' in https ? Object.freeze({ allowHTTP1: https['allowHTTP1'] }) : true
  if (constraints !== null) shown['constraints'] = Object.freeze({ ...constraints })
  return Object.freeze(shown)
}
