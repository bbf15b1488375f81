import { rolldown } from 'rolldown'

const BUILT_IN = /^node:/
/** Bare imports other than the packages of this repository. */
const DEPENDENCY = /^(?!@?cloister\b)[@a-z]/

/**
 * Bundles a TypeScript module with the sources that it imports. Does not check types.
 *
 * @template Result
 * @param {string} file
 * @param {(bundle: import('rolldown').RolldownBuild) => Promise<Result>} use
 * @param {RegExp} external which imports are external
 * @returns {Promise<Result>}
 */
async function withBundle(file, use, external) {
  const bundle = await rolldown({
    input: file,
    platform: 'node',
    tsconfig: false,
    external,
    resolve: { conditionNames: ['@cloister/source', 'import', 'node'] },
  })
  try {
    return await use(bundle)
  } finally {
    await bundle.close()
  }
}

/**
 * Imports a TypeScript module of a package from its source, so that types can be generated from it.
 *
 * @param {string} file @returns {Promise<unknown>}
 */
export function loadSource(file) {
  return withBundle(
    file,
    async (bundle) => {
      const { output } = await bundle.generate({ format: 'esm' })
      return await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
    },
    BUILT_IN,
  )
}

/**
 * Writes a TypeScript module as one file that Node runs, next to a `node_modules` with the dependencies.
 *
 * @param {string} file @param {string} to @returns {Promise<void>}
 */
export function bundleSource(file, to) {
  return withBundle(
    file,
    async (bundle) => {
      await bundle.write({ file: to, format: 'esm' })
    },
    DEPENDENCY,
  )
}
