import type { CloisterFactory, CloisterOptions, LoadingCloister, RootContext } from 'cloister'

/**
 * The factory with another prefix of error codes; the option `errorCodePrefix` of an app wins.
 *
 * @param factory - the factory of the framework
 * @param prefix - what codes begin with
 */
export function withErrorCodes(factory: CloisterFactory, prefix: string): CloisterFactory {
  return <const O extends CloisterOptions = CloisterOptions>(options?: O): LoadingCloister<RootContext<O>> =>
    factory<O>(Object.assign({ errorCodePrefix: prefix }, options))
}
