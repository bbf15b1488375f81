// The build for workers: ES modules in `dist/worker-bundle`, made of the modules that `tsc` wrote to `dist`, with the
// replacements of `worker-modules.mjs`. They stay modules, so that a bundler leaves out those that an application does
// not use. Packages are external; the bundler of the application includes them.
import path from 'node:path'
import { rolldown } from 'rolldown'
import { withoutCodeGeneration } from './without-code-generation.mjs'
import { withoutDocs } from './without-docs.mjs'
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
  const build = await rolldown({
    input,
    external: (id) => !id.startsWith('.') && !id.startsWith('node:') && !path.isAbsolute(id),
    platform: 'neutral',
    logLevel: 'warn',
    treeshake: { moduleSideEffects: 'no-external', manualPureFunctions: ['code'] },
    plugins: [
      withoutDocs(),
      withoutCodeGeneration(),
      replaceModules(WORKER_MODULES[name] ?? {}, path.join(folder, 'dist'), replaced),
    ],
  })
  const { output } = await build.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    preserveModules: true,
    preserveModulesRoot: path.join(folder, 'dist'),
    comments: { annotation: true, jsdoc: false, legal: false },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  })
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue
    const [found] =
      /\bnew Function\b|\beval\(|createRequire|import\.meta|(?:from|import) ["']node:[^"']*["']/.exec(
        chunk.code,
      ) ?? []
    if (found !== undefined) throw new Error(`${folder}: the build for workers has ${found}`)
  }
  const idle = Object.keys(WORKER_MODULES[name] ?? {}).filter((module) => !replaced.has(module))
  if (idle.length > 0)
    throw new Error(`${folder}: workers use no module ${idle.join(', ')}; leave it out of the table`)
}

/**
 * Resolves each module of a table to its replacement; the replacement itself may import the original.
 *
 * @param {Readonly<Record<string, string>>} table
 * @param {string} dist
 * @param {Set<string>} replaced gets the modules that were replaced
 */
function replaceModules(table, dist, replaced) {
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
      if (target === undefined || target.file === importer) return null
      replaced.add(target.module)
      return target.file
    },
  }
}
