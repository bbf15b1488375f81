import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
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
    const from = path.relative(process.cwd(), file)
    const at = await failedModule(error, bundled)
    console.error(`${at ?? from} cannot be loaded: ${inOneLine(error)}`)
    return process.exit(1)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The comment that the bundler writes before each module. */
const REGION = /^\/\/(?:#region)? (?<module>\S+\.[cm]?[jt]s)$/

/** Returns the module whose code in the bundle threw. @param {unknown} error @param {string} bundled */
async function failedModule(error, bundled) {
  const { stack = '' } = error instanceof Error ? error : {}
  const line = Number(stack.split(`${path.basename(bundled)}:`)[1]?.split(':')[0])
  if (!(line > 0)) return undefined
  const before = (await readFile(bundled, 'utf8')).split('\n').slice(0, line)
  return REGION.exec(before.findLast((one) => REGION.test(one)) ?? '')?.groups?.['module']
}

/** Returns the message of an error, or of the first one that the bundler found. @param {unknown} error */
function inOneLine(error) {
  const first =
    error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? error.errors[0] : error
  const text = stripVTControlCharacters(first instanceof Error ? first.message : String(first))
  const [line = ''] = text.split('\n')
  const at = /\[ (\S+:\d+:\d+) \]/.exec(text)?.[1]
  return line.replace(/^\[[A-Z_]+\] /, '') + (at === undefined ? '' : ` (${at})`)
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
