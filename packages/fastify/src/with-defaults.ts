import type { CloisterFactory, CloisterOptions, LoadingCloister, RootContext } from 'cloister'
import { warnOfCopies } from './other-copies.ts'

/**
 * The factory with other defaults; what the options of an app say wins. An app that becomes ready warns when the
 * package manager has installed another framework beside this one.
 *
 * @param factory - the factory of the framework
 * @param defaults - options for each app
 */
export function withDefaults(factory: CloisterFactory, defaults: CloisterOptions): CloisterFactory {
  return <const O extends CloisterOptions = CloisterOptions>(
    options?: O,
  ): LoadingCloister<RootContext<O>> => {
    const app = factory<O>(Object.assign({}, defaults, options))
    app.addHook('onReady', async () => warnOfCopies())
    return app
  }
}
