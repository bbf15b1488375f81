// The build for workers: ES modules in `dist/worker-bundle`, made of the modules that `tsc` wrote to `dist`, with the
// replacements of `worker-modules.mjs`. They stay modules, so that a bundler leaves out those that an application does
// not use. Packages are external; the bundler of the application includes them.
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { shortTexts } from './short-texts.mjs'
import { withoutChannels } from './without-channels.mjs'
import { withoutCodeGeneration } from './without-code-generation.mjs'
import { withoutDocs } from './without-docs.mjs'
import { lateFileOf, linkFeatures, WORKER_FEATURES } from './worker-features.mjs'
import { WORKER_MODULES } from './worker-modules.mjs'

/**
 * Writes the build for workers of one package.
 *
 * @param {string} name of the package
 * @param {string} folder of the package
 * @param {Readonly<Record<string, string>>} input entries, by the names of their files
 * @param {string} dir where to write
 */
export async function bundleForWorkers(name, folder, input, dir) {
  const replaced = new Set()
  const features = WORKER_FEATURES[name] ?? {}
  const build = await rolldown({
    input: { ...input, ...featureEntries(features, path.join(folder, 'dist')), ...aheadEntries(folder) },
    external: (id) => !id.startsWith('.') && !id.startsWith('node:') && !path.isAbsolute(id),
    platform: 'neutral',
    logLevel: 'warn',
    treeshake: {
      // Entries of features link theirs, and import those of other packages.
      moduleSideEffects: (id, isExternal) => !isExternal || FEATURE.test(id),
      manualPureFunctions: ['code'],
    },
    plugins: [
      withoutDocs(),
      shortTexts(),
      withoutCodeGeneration(),
      withoutChannels(),
      constants(path.join(folder, 'dist')),
      replaceModules(WORKER_MODULES[name] ?? {}, path.join(folder, 'dist'), replaced, features),
      linkFeatures(path.join(folder, 'dist'), features),
    ],
  })
  const { output } = await build.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    preserveModules: true,
    preserveModulesRoot: path.join(folder, 'dist'),
    comments: { annotation: true, jsdoc: false, legal: false },
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  })
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue
    const [found] =
      /\bnew Function\b|\beval\(|createRequire|import\.meta|(?:from|import) ["']node:[^"']*["']/.exec(
        chunk.code,
      ) ?? []
    if (found !== undefined) throw new Error(`${folder}: the build for workers has ${found}`)
  }
  const index = output.find(({ fileName }) => fileName === 'index.js')
  writeFileSync(path.join(dir, 'whole.js'), entryWith('all', index))
  if ('core' in features) writeFileSync(path.join(dir, 'lean.js'), entryWith('core', index))
  const idle = Object.keys(WORKER_MODULES[name] ?? {}).filter((module) => !replaced.has(module))
  if (idle.length > 0)
    throw new Error(`${folder}: workers use no module ${idle.join(', ')}; leave it out of the table`)
}

/**
 * The entry with all features, or with those that all apps have; the latter is for the condition `cloister-lean`.
 *
 * @param {string} feature
 * @param {object | undefined} index the entry without features
 */
function entryWith(feature, index) {
  const names = index !== undefined && 'exports' in index && Array.isArray(index.exports) ? index.exports : []
  const rest = names.includes('default') ? "export { default } from './index.js'\n" : ''
  return `import './features/${feature}.js'\nexport * from './index.js'\n${rest}`
}

/**
 * The modules that only `cloister build` imports.
 *
 * @param {string} folder
 * @returns {Record<string, string>}
 */
function aheadEntries(folder) {
  const names = [
    'ahead/ahead',
    'runtime/index',
    'sealed/engine',
    'sealed/option-table',
    'sealed/reader',
    'sealed/route-rows',
    'sealed/outdated',
  ]
  const files = names.map((one) => [one, path.join(folder, 'dist', `${one}.js`)])
  return Object.fromEntries(files.filter(([, file]) => existsSync(file ?? '')))
}

/** Modules whose exports are data. */
const CONSTANTS = ['sealed/option-data']

/** Replaces modules of data by their values, which are evaluated here. @param {string} dist */
function constants(dist) {
  const files = new Set(CONSTANTS.map((one) => path.join(dist, `${one}.js`)))
  return {
    name: 'constants',
    /** @param {string} id */
    async load(id) {
      if (!files.has(id)) return null
      const values = Object.entries(await import(pathToFileURL(id).href))
      return values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`).join('\n')
    },
  }
}

const FEATURE = /[\\/]features[\\/]/

/** @param {Readonly<Record<string, unknown>>} features @param {string} dist */
function featureEntries(features, dist) {
  const names = Object.keys(features)
  return Object.fromEntries(names.map((one) => [`features/${one}`, path.join(dist, 'features', `${one}.js`)]))
}

/**
 * Resolves each module of a table to its replacement; the replacement itself may import the original, and so
 * may the modules of the folder `worker/originals`.
 *
 * @param {Readonly<Record<string, string>>} table
 * @param {string} dist
 * @param {Set<string>} replaced gets the modules that were replaced
 * @param {Readonly<Record<string, readonly string[]>>} features a replacement may belong to one of them
 */
function replaceModules(table, dist, replaced, features) {
  const lateFile = lateFileOf(dist, features)
  const targets = new Map(
    Object.entries(table).map(([module, by]) => [
      module.startsWith('node:') ? module : path.join(dist, `${module}.js`),
      { module, file: path.join(dist, 'worker', `${by}.js`) },
    ]),
  )
  return {
    name: 'worker-modules',
    /** @param {string} id @param {string | undefined} importer */
    resolveId(id, importer) {
      const asked =
        id.startsWith('.') && importer !== undefined ? path.resolve(path.dirname(importer), id) : id
      const target = targets.get(asked)
      const isOriginal = importer?.startsWith(path.join(dist, 'worker', 'originals')) === true
      if (target === undefined || target.file === importer || isOriginal) return null
      replaced.add(target.module)
      return lateFile(target.file, importer) ?? target.file
    },
  }
}
