import { randomBytes } from 'node:crypto'

import { definePlugin } from 'cloister'
import type { Cloister, CloisterReply, CloisterRequest, Context, DefinedPlugin } from 'cloister'
import { configFor, definedRoutes, headerOf, presetHeaders } from 'cloister/inspect'

import { admits, limit, preflight, preflightMethod } from './admission.ts'
import { addCookie } from './cookies.ts'
import { allowed } from './cors.ts'
import { refuseCrossOrigin } from './csrf.ts'
import { deprecationHeaders } from './deprecation.ts'
import { tagOfVersion } from './entity-tags.ts'
import { WebOptionError } from './errors.ts'
import { finish } from './finish.ts'
import { withNonce } from './header-sets.ts'
import { isRecord } from './options.ts'
import { presetsOf } from './presets.ts'
import { refusalsOf, sentHeadersOf } from './documented.ts'
import { decodeHook, mayHaveBody, versionHook } from './route-hooks.ts'
import { refuseReplacedPlugins } from './replaced-plugins.ts'
import { WebSettings, type Settings } from './settings.ts'
import { findSignedCookies, mayMarkSigned, verifyHook, type SignedCookies } from './signed-cookies.ts'
import type { CookieOptions, WebOptions, WebReply, WebRouteOptions } from './types.ts'
import { mergeVary } from './vary.ts'

/** What the plugin provides, and its options. */
export interface WebContract {
  /** The methods of replies. */
  readonly provides: { readonly reply: WebReply }
  /** The options. */
  readonly options: WebOptions
}

/**
 * Everything around a request that browsers and proxies expect: security headers, CORS, protection from requests of
 * other sites, cookies, entity tags and preconditions, compression and rate limits. Register it on the root app, before
 * routes and other plugins, and await that: routes that were defined before are an error.
 *
 * @throws {@link WebOptionError} when the app starts
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { web } from '@cloister/web'
 *
 * const app = cloister()
 * await app.register(web, { origins: ['https://shop.example'], limit: { max: 100, per: '1m' } })
 * app.get('/books', () => [])
 * await app.listen({ port: 3000 })
 * ```
 */
export const web: DefinedPlugin<WebContract> = definePlugin<WebContract>({
  name: '@cloister/web',
  once: 'lineage',
  ownOptions: true,
  routeOptions: ['web'],
  plugin: (app, options) => {
    refuseReplacedPlugins(app)
    refuseEarlierRoutes(app)
    const settings = new WebSettings(options)
    const work = new WebWork(app, settings)
    work.decorate()
    work.addHooks()
    app.addHook('onReady', async () => {
      refuseReplacedPlugins(app)
      findSignedCookies(app, settings.cookies, (config) => preparedIn(config)?.signed ?? null)
    })
  },
})

type App = Cloister<Context>

/** The settings of a route, in its `config`. */
const kWeb = Symbol('@cloister/web')

/** Hooks state under it how a plugin refuses requests; documents and types have it. */
const kRefuses = Symbol.for('cloister.refuses')

/** Hooks state under it which headers a plugin sends; documents have them. */
const kSends = Symbol.for('cloister.sends')

/** The framework runs hooks with it only for requests with `Content-Encoding`. */
const kDecodes = Symbol.for('cloister.decodes')

/** What the plugin keeps of a reply, by its request. */
interface State {
  readonly vary: string[]
  nonce: string | null
}

/** Their hooks can't be added to routes that are defined already. */
function refuseEarlierRoutes(app: App): void {
  const [first] = definedRoutes(app)
  if (first === undefined) return
  const problem = `the route ${first.method} ${first.url} (${first.callSite}) was defined before '@cloister/web' was loaded; register it first: await app.register(web, { … })`
  throw new WebOptionError('CLO_ERR_WEB_LATE', problem)
}

/** The work of the plugin for one app. */
class WebWork {
  readonly #app: App
  readonly #settings: WebSettings
  readonly #states = new WeakMap<object, State>()
  /** of the routes for GET, by path */
  readonly #labels = new Map<string, string>()

  constructor(app: App, settings: WebSettings) {
    this.#app = app
    this.#settings = settings
  }

  decorate(): void {
    const { cookies } = this.#settings
    const stateOf = (request: object): State => this.#stateOf(request)
    const setCookie = (reply: CloisterReply, line: string): CloisterReply => {
      const lines = addCookie(reply.getHeader('set-cookie'), line)
      return reply.removeHeader('set-cookie').header('set-cookie', lines)
    }
    const methods: { readonly [Name in keyof WebReply]: (this: CloisterReply, ...args: never) => unknown } = {
      setCookie(name: string, value: string, options?: CookieOptions) {
        return setCookie(this, cookies.write(name, value, options))
      },
      clearCookie(name: string, options?: CookieOptions) {
        return setCookie(this, cookies.expired(name, options))
      },
      cspNonce() {
        const state = stateOf(this.request)
        if (state.nonce !== null) return state.nonce
        const nonce = randomBytes(16).toString('base64')
        state.nonce = nonce
        const policy = this.getHeader('content-security-policy')
        if (typeof policy === 'string') this.header('content-security-policy', withNonce(policy, nonce))
        return nonce
      },
      vary(...names: string[]) {
        stateOf(this.request).vary.push(...names)
        return this.header('vary', mergeVary(this.getHeader('vary'), names))
      },
      version(tag: string) {
        return this.header('etag', tagOfVersion(tag))
      },
    }
    for (const [name, method] of Object.entries(methods)) this.#app.decorateReply(name, method)
  }

  addHooks(): void {
    this.#app.addHook('onRoute', (route) => this.#prepare(route))
    const { ofApp } = this.#settings
    presetHeaders(this.#app, ({ options }) => presetsOf(settingsIn(options['config']) ?? ofApp))
    this.#app.addHook('onRequest', (request, reply) => this.#begin(request, withMethods(reply)))
    // Routes have a hook of their own, which runs after those of their contexts.
    this.#app.addHook('onSend', (request, reply, payload) =>
      request.is404 ? this.#finish(ofApp, request, reply, payload) : payload,
    )
  }

  /** Gives a route the hooks that run last at their stages. */
  #prepare(route: object & { config?: unknown; url: string; method: string | readonly string[] }): void {
    const config = isRecord(route.config) ? route.config : {}
    if (Object.hasOwn(config, kWeb)) return
    const label = `${[route.method].flat().join(', ')} ${route.url}`
    const given: unknown = Reflect.get(route, 'web') ?? config['web']
    const ofOptions =
      given === undefined ? this.#settings.ofApp : this.#ofRoute(given, label, this.#counted(route, label))
    const deprecation = named(label, () => deprecationHeaders(Reflect.get(route, 'schema')))
    const settings =
      deprecation === null ? ofOptions : { ...ofOptions, headers: { ...ofOptions.headers, ...deprecation } }
    const { cookies } = this.#settings
    const signed: SignedCookies | null = mayMarkSigned(route) ? { names: [] } : null
    Reflect.set(route, 'config', { ...config, [kWeb]: new Prepared(settings, signed) })
    if (signed !== null) append(route, 'preValidation', verifyHook(signed, cookies))
    if (settings.decompression !== null && mayHaveBody(route))
      append(route, 'preParsing', Object.assign(decodeHook(settings), { [kDecodes]: true }))
    if (settings.version !== null) append(route, 'preHandler', versionHook(settings))
    const finishRoute = (request: CloisterRequest, reply: CloisterReply, payload: unknown): unknown =>
      this.#finish(settings, request, reply, payload)
    Object.assign(finishRoute, { [kRefuses]: refusalsOf(settings, route) })
    Object.defineProperty(finishRoute, kSends, {
      get: () => sentHeadersOf(settings, route, signed !== null && signed.names.length > 0),
    })
    append(route, 'onSend', finishRoute)
  }

  #ofRoute(given: unknown, label: string, counted: string): Settings {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its members are checked there
    return named(label, () => this.#settings.ofRoute(given as WebRouteOptions, counted))
  }

  /** Returns the route with which requests are counted: HEAD runs the handler of GET. */
  #counted({ url, method }: { url: string; method: string | readonly string[] }, label: string): string {
    if ([method].flat().includes('GET')) this.#labels.set(url, label)
    return method === 'HEAD' ? (this.#labels.get(url) ?? label) : label
  }

  #stateOf(request: object): State {
    const known = this.#states.get(request)
    if (known !== undefined) return known
    const state: State = { vary: [], nonce: null }
    this.#states.set(request, state)
    return state
  }

  /** Most requests need nothing here: what follows from their route alone is decided at boot. */
  #begin(request: CloisterRequest, reply: CloisterReply & WebReply): unknown {
    const { ofApp } = this.#settings
    const asked = request.is404 ? preflightMethod(request) : null
    const own = settingsIn(asked === null ? request.routeOptions.config : configFor(request, asked))
    const settings = own ?? ofApp
    if (settings.isQuiet && asked === null) return refusalOf(settings, request)
    if (asked !== null && settings !== ofApp) replacePresets(reply, ofApp, settings)
    const { cors } = settings
    const isTested = cors !== null && (cors.isTested || asked !== null)
    const admitted = isTested ? admits(cors, request) : false
    if (admitted instanceof Promise)
      return admitted.then((late) => this.#goOn(settings, late, asked !== null, request, reply))
    return this.#goOn(settings, admitted, asked !== null, request, reply)
  }

  #goOn(
    settings: Settings,
    isAdmitted: boolean,
    isPreflight: boolean,
    request: CloisterRequest,
    reply: CloisterReply & WebReply,
  ): unknown {
    const { cors } = settings
    if (cors !== null && isAdmitted && cors.admits !== '*') {
      const origin = headerOf(request, 'origin')
      if (origin !== undefined) reply.headers(allowed(cors, origin))
    }
    const goOn = (refusal: Error | null): unknown => {
      if (refusal !== null) throw refusal
      if (cors !== null && isPreflight) return preflight(cors, isAdmitted, request, reply)
      return refusalOf(settings, request)
    }
    const limited = settings.limit === null ? null : limit(settings.limit, request, reply)
    return limited instanceof Promise ? limited.then(goOn) : goOn(limited)
  }

  #finish(settings: Settings, request: CloisterRequest, reply: CloisterReply, payload: unknown): unknown {
    if (
      settings.keepsPrivate &&
      // A guard may read the cookies, whatever the schema of its route says.
      (headerOf(request, 'authorization') !== undefined ||
        headerOf(request, 'cookie') !== undefined ||
        Reflect.get(request, 'cookies') != null) &&
      reply.getHeader('cache-control') === undefined
    )
      reply.header('cache-control', 'no-store')
    return finish(settings, this.#states.get(request)?.vary ?? NONE, request, reply, payload)
  }
}

const NONE: readonly string[] = []

/** @throws the refusal of a request that a page of another origin may not send */
function refusalOf({ trusted }: Settings, request: CloisterRequest): undefined {
  const refusal = trusted === null ? null : refuseCrossOrigin(request, trusted)
  if (refusal !== null) throw refusal
}

/** A preflight gets the headers of the route that it asks about, not those of requests without a route. */
function replacePresets(reply: CloisterReply, ofApp: Settings, settings: Settings): void {
  const { fields, by } = presetsOf(ofApp)
  const names = [fields, ...(by?.values.values() ?? [])].flatMap((set) => Object.keys(set))
  for (const name of names) reply.removeHeader(name)
  reply.headers(presetsOf(settings).fields)
}

/** The methods that this plugin has given to all replies of the app. */
function withMethods(reply: CloisterReply): CloisterReply & WebReply {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `decorate` has added them
  return reply as CloisterReply & WebReply
}

/** Adds the route to the message of a mistake. */
function named<T>(label: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof WebOptionError)) throw error
    throw new WebOptionError(error.code, `${error.message} (${label})`)
  }
}

/** The settings of a route, as the `config` of the route has them. */
class Prepared {
  readonly settings: Settings
  /** `null` if its schema marks no cookies */
  readonly signed: SignedCookies | null

  constructor(settings: Settings, signed: SignedCookies | null) {
    this.settings = settings
    this.signed = signed
  }
}

function preparedIn(config: unknown): Prepared | undefined {
  const prepared: unknown = typeof config === 'object' && config !== null ? Reflect.get(config, kWeb) : null
  return prepared instanceof Prepared ? prepared : undefined
}

const settingsIn = (config: unknown): Settings | undefined => preparedIn(config)?.settings

/** Adds a function to a hook option of a route; it runs after those of the contexts and of the route. */
function append(route: object, name: string, hook: unknown): void {
  const given: unknown = Reflect.get(route, name) ?? []
  Reflect.set(route, name, [given, hook].flat())
}
