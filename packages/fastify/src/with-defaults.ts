import { createErrorCodes } from 'cloister'
import type { CloisterOptions, RootContext } from 'cloister'
import type { LoadingCloister, RawReplyOf, RawRequestOf, RawServerBase } from 'cloister/types'
import type { AppOn, FastifyFactory } from './fastify.ts'
import { warnOfCopies } from './other-copies.ts'

/**
 * The factory with other defaults; what the options of an app say wins. An app that becomes ready warns when the
 * package manager has installed another framework beside this one.
 *
 * @param factory - the factory of the framework
 * @param defaults - options for each app
 */
export function withDefaults(
  factory: (options?: CloisterOptions) => LoadingCloister<RootContext>,
  defaults: CloisterOptions,
): FastifyFactory {
  function create<
    Server extends RawServerBase = never,
    Request extends RawRequestOf<Server> = RawRequestOf<Server>,
    Reply extends RawReplyOf<Server> = RawReplyOf<Server>,
  >(
    ...options: [Server] extends [never] ? [never] : [options?: CloisterOptions]
  ): AppOn<Server, Request, Reply>
  function create<const O extends CloisterOptions = CloisterOptions>(
    options?: O,
  ): LoadingCloister<RootContext<O>>
  // Only the compiler knows the types that follow from the options, so they can't be written here.
  function create(options?: CloisterOptions): object {
    // Merged with the defaults, anything would become an object.
    if (Boolean(options) && typeof options !== 'object') {
      throw createErrorCodes('FST_ERR_').FST_ERR_OPTIONS_NOT_OBJ(typeof options)
    }
    const app = factory(Object.assign({}, defaults, options))
    app.addHook('onReady', async () => warnOfCopies())
    return app
  }
  return create
}
