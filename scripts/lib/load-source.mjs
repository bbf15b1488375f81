import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
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
 * Imports a TypeScript module of a package from its source, so that types can be generated from it. If the module
 * cannot run, ends the process with one line: a stack would be about the bundle.
 *
 * @param {string} file @returns {Promise<unknown>}
 */
export async function loadSource(file) {
  const folder = await mkdtemp(path.join(tmpdir(), 'source-'))
  const bundled = path.join(folder, 'bundle.mjs')
  try {
    await withBundle(
      file,
      async (bundle) => void (await bundle.write({ file: bundled, format: 'esm' })),
      BUILT_IN,
    )
    return await import(pathToFileURL(bundled).href)
  } catch (error) {
    console.error(`${path.relative(process.cwd(), file)} cannot be loaded: ${String(error)}`)
    return process.exit(1)
  } finally {
    await rm(folder, { recursive: true })
  }
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
