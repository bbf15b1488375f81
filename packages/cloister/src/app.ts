import { channel } from 'node:diagnostics_channel'

import { CloisterApp } from './app/cloister-app.ts'
import { Lifecycle } from './app/lifecycle.ts'
import { Context } from './context/context.ts'
import { createDefaultParsers } from './context/default-parsers.ts'
import { inherit, isFunction } from './functions.ts'
import type { AppOptions } from './options/app-options.ts'
import { checkOptions } from './options/check-options.ts'
import { ReplyImpl } from './request/reply.ts'
import { RequestImpl } from './request/request.ts'
import { kApp, kContext } from './symbols.ts'
import type { CloisterOptions, LoadingCloister, RootContext } from './types/public.ts'

/** The members that decorators may not take. */
const BUILT_INS = {
  instance: Lifecycle.prototype,
  request: withFields(RequestImpl.prototype, ['params', 'body', 'validationError']),
  reply: withFields(ReplyImpl.prototype, ['request']),
}

/** An object with the members of a prototype and the fields that its constructor sets. */
function withFields(prototype: object, fields: readonly string[]): object {
  return inherit(prototype, Object.fromEntries(fields.map((name) => [name, { value: undefined }])))
}

// Tracing tools of the ecosystem subscribe under this name.
const initialization = channel('fastify.initialization')

/**
 * Makes an app.
 *
 * @param options - see `docs/options.md`; checked at once
 * @throws `CLO_ERR_INIT_OPTS_INVALID` and kin for options that are unknown or of the wrong type
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 *
 * const app = cloister()
 * app.get('/', () => ({ hello: 'world' }))
 * const answer = await app.inject('/')
 * ```
 */
export function cloister<const O extends CloisterOptions = {}>(options?: O): LoadingCloister<RootContext<O>> {
  const checked = checkOptions(options)
  const app = new CloisterApp(checked, options ?? {}, (state) => createRoot(state, checked))
  const { instance } = app.root
  Object.defineProperty(instance, kApp, { value: app })
  applySettings(app.root, checked)
  if (initialization.hasSubscribers) initialization.publish({ fastify: instance })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one border between the untyped machinery and the public types, which say more than a class could
  return instance as unknown as LoadingCloister<RootContext<O>>
}

function createRoot(app: CloisterApp, options: AppOptions): Context {
  const context = new Context({
    app,
    parent: null,
    name: 'root',
    prefix: '',
    parsers: createDefaultParsers(options.onProtoPoisoning, options.onConstructorPoisoning),
    schemas: app.engine.createStore(undefined, 'root'),
    logLevel: '',
    logSerializers: null,
    builtIns: BUILT_INS,
  })
  context.instance = inherit(new Lifecycle(), { [kContext]: { value: context } })
  return context
}

/** Settings that may come as options are those of the root context. */
function applySettings({ settings, instance }: Context, options: AppOptions): void {
  const { childLoggerFactory, genReqId, schemaController, schemaErrorFormatter } = options
  settings.childLoggerFactory = childLoggerFactory
  settings.genReqId = genReqId
  settings.schemaController = schemaController
  if (isFunction(schemaErrorFormatter)) settings.schemaErrorFormatter = schemaErrorFormatter.bind(instance)
}
