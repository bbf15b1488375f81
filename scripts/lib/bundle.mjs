// What users load: the modules that `tsc` wrote to `dist` of a large package, in as few files as its entries allow
// (`dist/bundle`). Node takes a good third of a millisecond to find, read and link one module, and the framework has
// over two hundred. Nothing is minified, and dependencies stay outside.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'

/** The condition under which a manifest offers the modules behind a bundle. */
export const MODULES = '@cloister/modules'

const BUNDLED = /^\.\/dist\/bundle\/(.+)\.js$/

/** Bundles each package of a workspace whose manifest offers bundles. @param {string} workspace */
export async function bundlePackages(workspace) {
  const packages = path.join(workspace, 'packages')
  for (const name of readdirSync(packages)) {
    const folder = path.join(packages, name)
    const input = existsSync(path.join(folder, 'package.json')) ? entries(folder) : {}
    if (Object.keys(input).length > 0 && !isFresh(path.join(folder, 'dist'))) await bundle(folder, input)
  }
}

/** @param {string} folder of a package @param {Record<string, string>} input */
async function bundle(folder, input) {
  const dir = path.join(folder, 'dist', `bundle-${process.pid}`)
  const build = await rolldown({
    input,
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
    platform: 'node',
    logLevel: 'warn',
  })
  await build.write({ dir, format: 'esm', chunkFileNames: 'shared.js' })
  // In one step, so that nobody who starts meanwhile finds half of it.
  const target = path.join(folder, 'dist', 'bundle')
  rmSync(target, { recursive: true, force: true })
  renameSync(dir, target)
}

/** Whether a bundle is younger than every module. @param {string} dist */
function isFresh(dist) {
  const bundled = path.join(dist, 'bundle', 'index.js')
  if (!existsSync(bundled)) return false
  const { mtimeMs } = statSync(bundled)
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js') && !name.startsWith('bundle'))
    .every((name) => statSync(path.join(dist, name)).mtimeMs < mtimeMs)
}

/** The modules behind the bundles that a manifest offers, by the name of the bundle. @param {string} folder */
function entries(folder) {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  /** @type {Record<string, string>} */
  const named = {}
  for (const conditions of Object.values(manifest.exports ?? {})) {
    const entry = BUNDLED.exec(conditions.default ?? '')?.[1]
    if (entry === undefined) continue
    if (conditions[MODULES] === undefined)
      throw new Error(`${folder}/package.json has no ${MODULES} for ${entry}`)
    named[entry] = path.join(folder, conditions[MODULES])
  }
  return named
}
