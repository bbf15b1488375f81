import type { CloisterFactory, CloisterOptions, LoadingCloister, RootContext } from 'cloister'
import { warnOfCopies } from './other-copies.ts'

/**
 * The factory with another prefix of error codes; the option `errorCodePrefix` of an app wins. An app that becomes
 * ready warns when the package manager has installed another framework beside this one.
 *
 * @param factory - the factory of the framework
 * @param prefix - what codes begin with
 */
export function withErrorCodes(factory: CloisterFactory, prefix: string): CloisterFactory {
  return <const O extends CloisterOptions = CloisterOptions>(
    options?: O,
  ): LoadingCloister<RootContext<O>> => {
    const app = factory<O>(Object.assign({ errorCodePrefix: prefix }, options))
    app.addHook('onReady', async () => warnOfCopies())
    return app
  }
}
