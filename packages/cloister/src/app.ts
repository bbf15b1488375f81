import { channel } from 'node:diagnostics_channel'

import { builtIns, INSTANCE_PROTOTYPE } from './app/instance.ts'
import { CloisterApp } from './app/cloister-app.ts'
import { Context } from './context/context.ts'
import { createInstance } from './context/create-child.ts'
import { CODE_PREFIX } from './errors.ts'
import { prefixMembers, withPrefix } from './error-prefix.ts'
import { inherit, recordOf } from './guards.ts'
import { warn } from './logging/warnings.ts'
import { checkOptions } from './options/check-options.ts'
import { unknownOptions } from './options/public-config.ts'
import { CallSite } from './call-site.ts'
import { kApp, kOptions } from './symbols.ts'
import type { CheckOptions, CloisterOptions, LoadingCloister, RootContext } from './types/public.ts'

// Tracing tools for Fastify subscribe to this channel.
const initialization = channel('fastify.initialization')

/**
 * Creates an app.
 *
 * @param options - see `docs/options.md`; checked at once. The compiler refuses unknown names. At run time
 * they stay in `app.initialConfig` for plugins and cause a process warning, unless they are similar to an option. `null` and `false` mean no options.
 * @throws `CLO_ERR_INIT_OPTS_INVALID` and related errors for options that are misspelt or have the wrong type
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 *
 * const app = cloister()
 * app.get('/', () => ({ hello: 'world' }))
 * const response = await app.inject('/')
 * ```
 */
export function cloister<const O extends CloisterOptions = CloisterOptions>(
  options?: O & CheckOptions<O>,
): LoadingCloister<RootContext<O>>
// `app/instance.ts` checks at compile time that instances have every public member. Only the compiler knows the types
// that follow from schemas, so they can't be written here.
export function cloister(options?: unknown): object {
  const { errorCodePrefix: prefix } = recordOf(options)
  const errorCodePrefix = typeof prefix === 'string' ? prefix : CODE_PREFIX
  const instance = withPrefix({ errorCodePrefix }, () => createApp(options))
  if (initialization.hasSubscribers) initialization.publish({ fastify: instance })
  return instance
}

function createApp(options: unknown): object {
  const checked = checkOptions(options)
  const given = recordOf(options)
  const unknown = unknownOptions(given).map((name) => `'${name}'${elsewhere(name)}`)
  if (unknown.length > 0) {
    const callSite = new CallSite(cloister).toString()
    warn('OPTIONS_UNKNOWN', { names: unknown.join(', '), callSite })
  }
  return new CloisterApp(checked, given, createRoot).root.instance
}

/** Says where an option belongs that many give to the factory. */
function elsewhere(name: string): string {
  if (name === 'port' || name === 'host') return ' (app.listen takes it)'
  return name === 'prefix' ? ' (app.register takes it)' : ''
}

const DETACHED_METHODS: readonly string[] =
  'register after close onClose getSchemas hasRoute findRoute getDefaultRoute printRoutes printPlugins'.split(
    ' ',
  )

function createRoot(app: CloisterApp, given: object): Context {
  const { options } = app
  const root = new Context(app, null, 'root', builtIns(app.trustProxy !== null))
  const members = inherit(INSTANCE_PROTOTYPE)
  prefixMembers(members, options)
  root.instance = createInstance(members, root, DETACHED_METHODS)
  Object.defineProperties(root.instance, { [kApp]: { value: app }, [kOptions]: { value: given } })
  for (const name of ['childLoggerFactory', 'genReqId', 'schemaController'] as const) {
    root.set(name, options[name], null)
  }
  root.set('schemaErrorFormatter', options.schemaErrorFormatter?.bind(root.instance) ?? null, null)
  return root
}
