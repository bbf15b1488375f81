// The bundle that users load (`dist/bundle`): the modules that `tsc` wrote to `dist` of a package, in as few files
// as its entries allow. Node takes a good third of a millisecond to find, read and link one module, and the
// framework has over two hundred. The bundle is CommonJS, which `require` and Jest load directly; the ES module for
// `import` re-exports it, so that both share one implementation. Nothing is minified, and dependencies are external.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { bundleForWorkers } from './bundle-workers.mjs'
import { commonJsTypes, moduleTypes } from './entry-types.mjs'
import { repository } from './run.mjs'
import { withoutDocs } from './without-docs.mjs'
import { WORKER_MODULES } from './worker-modules.mjs'

/** The condition under which a manifest exports the modules instead of a bundle. */
export const MODULES = '@cloister/modules'

/** The scripts of the build. */
const SCRIPTS = path.join(repository, 'scripts/lib')

const BUNDLED = /^\.\/dist\/bundle\/(.+?)(?:\.cjs|\.d\.cts)$/

/**
 * @typedef {object} Entry
 * @property {string} name of the files in `dist/bundle`, without the extension
 * @property {string | null} module absolute path of its module; `null` if there are only types
 * @property {string} types absolute path of its declarations
 * @property {boolean} isCallable whether `import` also has declarations beside the bundle, with a namespace
 */

/** Bundles each package of a workspace whose manifest exports bundles. @param {string} workspace */
export async function bundlePackages(workspace) {
  const packages = path.join(workspace, 'packages')
  for (const name of readdirSync(packages)) {
    const folder = path.join(packages, name)
    const entries = existsSync(path.join(folder, 'package.json')) ? entriesOf(folder) : []
    if (entries.length === 0 || isFresh(folder, entries)) continue
    await bundleForWorkersToo(folder, entries)
    await bundle(folder, entries)
  }
}

/** @param {string} folder of a package @param {readonly Entry[]} entries */
async function bundleForWorkersToo(folder, entries) {
  const { name } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  if (!Object.hasOwn(WORKER_MODULES, name)) return
  const dir = path.join(folder, 'dist', `worker-${process.pid}`)
  await bundleForWorkers(name, folder, inputOf(entries), dir)
  replaceFolder(path.join(folder, 'dist', 'worker-bundle'), dir)
}

/** @param {readonly Entry[]} entries */
function inputOf(entries) {
  return Object.fromEntries(entries.flatMap(({ name, module }) => (module === null ? [] : [[name, module]])))
}

/**
 * Replaces a folder in one step, so that no process that starts meanwhile finds half of it.
 * @param {string} target @param {string} dir
 */
function replaceFolder(target, dir) {
  rmSync(target, { recursive: true, force: true })
  renameSync(dir, target)
}

/** @param {string} folder of a package @param {readonly Entry[]} entries */
async function bundle(folder, entries) {
  const dir = path.join(folder, 'dist', `bundle-${process.pid}`)
  const build = await rolldown({
    input: inputOf(entries),
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
    platform: 'node',
    logLevel: 'warn',
    treeshake: { moduleSideEffects: 'no-external' },
    plugins: [withoutDocs(), { name: 'commonjs-require', transform: withoutCreateRequire }],
  })
  const { output } = await build.write({
    dir,
    format: 'cjs',
    exports: 'named',
    esModule: false,
    entryFileNames: '[name].cjs',
    // One file for all entries: access from one file to another would go through a getter each time.
    codeSplitting: { groups: [{ name: 'code' }] },
    chunkFileNames: '[name].cjs',
    // Node reads and compiles this at every start. Comments are a fifth of it, and one character beyond Latin-1
    // makes V8 store the whole text with two bytes per character.
    comments: false,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  })
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue
    if (/import\.meta|__filename/.test(withoutComments(chunk.code)))
      throw new Error(`${folder}: ${chunk.fileName} asks where it is; in a bundle it is somewhere else`)
    if (chunk.isEntry) writeEntry(dir, chunk.name, chunk.exports)
  }
  const target = path.join(folder, 'dist', 'bundle')
  for (const { name, types, isCallable } of entries) {
    writeFileSync(path.join(dir, `${name}.d.cts`), commonJsTypes(types, target))
    if (isCallable) writeFileSync(path.join(dir, `${name}.d.ts`), moduleTypes(types, target))
  }
  writeFeatures(path.join(folder, 'dist', 'features'), path.join(dir, 'features'))
  replaceFolder(target, dir)
}

/**
 * Writes the modules that `require` finds for the features of workers: empty ones, since bundles for Node have all.
 * @param {string} from @param {string} to
 */
function writeFeatures(from, to) {
  if (!existsSync(from)) return
  mkdirSync(to)
  for (const file of readdirSync(from).filter((one) => one.endsWith('.js'))) {
    const { name } = path.parse(file)
    writeFileSync(path.join(to, `${name}.cjs`), "'use strict'\n")
    writeFileSync(path.join(to, `${name}.d.cts`), 'export {}\n')
  }
}

/**
 * Removes `createRequire`: a CommonJS module has its own `require`, whose calls bundlers can follow.
 * @param {string} code
 */
function withoutCreateRequire(code) {
  if (!code.includes('createRequire(import.meta.url)')) return null
  return code
    .replace(/^import \{ createRequire \} from 'node:module';?$/m, '')
    .replace(/^const require = createRequire\(import\.meta\.url\);?$/m, '')
}

/** @param {string} code */
function withoutComments(code) {
  return code.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

/**
 * Writes the files for `require` and `import`. The first exports the default export, with the others as its
 * properties; the second re-exports these. Node searches an imported CommonJS file for the names of its exports: so
 * the code is in a separate file, because searching all of it would take as long as running it.
 *
 * @param {string} dir @param {string} name @param {readonly string[]} exported
 */
function writeEntry(dir, name, exported) {
  const hasDefault = exported.includes('default')
  const entry = hasDefault ? ['module.exports = Object.assign(exports.default, exports)'] : []
  const names = exported.filter((one) => one !== 'default')
  // Never runs: Node reads the names of the exports here when an ES module imports this file itself.
  if (names.length > 0) entry.push(`0 && (module.exports = { ${names.join(', ')} })`)
  const reexport = [
    `import entry from './${name}.cjs'`,
    ...(hasDefault ? ['export default entry'] : []),
    ...names.map((one) => `export const ${one} = entry.${one}`),
  ]
  appendFileSync(path.join(dir, `${name}.cjs`), `${entry.join('\n')}\n`)
  writeFileSync(path.join(dir, `${name}.js`), `${reexport.join('\n')}\n`)
}

/**
 * Whether the bundle of a package is newer than what it is made of, and than the scripts that make it. Declarations
 * list what they re-export of another package, so they are made of its declarations too.
 * @param {string} folder @param {readonly Entry[]} entries
 */
function isFresh(folder, entries) {
  const bundled = path.join(folder, 'dist', 'bundle', 'index.cjs')
  if (!existsSync(bundled)) return false
  const { mtimeMs } = statSync(bundled)
  const others = entries.flatMap(({ types }) =>
    [...readFileSync(types, 'utf8').matchAll(RE_EXPORT)].map(([, name = '']) => name),
  )
  const folders = new Set(others.map((name) => path.join(folder, '..', name.replace('@cloister/', ''))))
  const sources = [...folders]
    .filter((one) => existsSync(path.join(one, 'dist')))
    .flatMap((one) => modulesOf(one).filter((file) => file.endsWith('.d.ts')))
  const scripts = readdirSync(SCRIPTS).map((name) => path.join(SCRIPTS, name))
  const files = [path.join(folder, 'package.json'), ...modulesOf(folder), ...sources, ...scripts]
  return files.every((file) => statSync(file).mtimeMs < mtimeMs)
}

/** The name of a package in `export type * from 'cloister/types'`. */
const RE_EXPORT = /^export (?:type )?\* from '((?:@cloister\/)?[a-z-]+)(?:\/[^']*)?'/gm

/** The modules and declarations that `tsc` has written. @param {string} folder of a package */
function modulesOf(folder) {
  const dist = path.join(folder, 'dist')
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(js|d\.ts)$/.test(name) && !/^(?:worker-)?bundle/.test(name))
    .map((name) => path.join(dist, name))
}

/** Returns the bundles in the manifest of a package. @param {string} folder @returns {Entry[]} */
function entriesOf(folder) {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  /** @type {Map<string, Entry>} */
  const named = new Map()
  for (const conditions of Object.values(manifest.exports ?? {})) {
    const target = conditions.default?.default ?? conditions.default?.types ?? ''
    const name = BUNDLED.exec(target)?.[1]
    if (name === undefined || name.includes('*')) continue
    const module = conditions[MODULES]
    const isCallable = conditions.import?.types === `./dist/bundle/${name}.d.ts`
    const behind = module?.replace(/\.js$/, '.d.ts')
    const types = isCallable ? behind : (conditions.import?.types ?? behind)
    if (types === undefined) throw new Error(`${folder}/package.json: ${name} has no types for import`)
    named.set(name, {
      name,
      module: module === undefined ? null : path.join(folder, module),
      types: path.join(folder, types),
      isCallable,
    })
  }
  return [...named.values()]
}
