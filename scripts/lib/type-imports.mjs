// The imports of generated types: each name from the module of a folder that exports it.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

const DECLARED = /^export (?:type|interface) (\w+)/gm

/**
 * Returns import lines for the names, in the order of the modules.
 *
 * @param {Iterable<string>} names @param {string} folder of the modules @param {string} [from] folder of the generated file
 */
export function importsOf(names, folder, from = folder) {
  /** @type {Map<string, string>} */
  const modules = new Map()
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.ts') || file.endsWith('.generated.ts')) continue
    const text = readFileSync(path.join(folder, file), 'utf8')
    for (const [, name = ''] of text.matchAll(DECLARED)) if (!modules.has(name)) modules.set(name, file)
  }
  /** @type {Map<string, string[]>} */
  const byModule = new Map()
  for (const name of names) {
    const file = modules.get(name)
    if (file === undefined) throw new Error(`no module below ${folder} exports the type '${name}'`)
    byModule.set(file, [...(byModule.get(file) ?? []), name])
  }
  return [...byModule]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, those]) => {
      const relative = path.posix.relative(from, path.posix.join(folder, file))
      return `import type { ${those.sort().join(', ')} } from '${relative.startsWith('.') ? relative : `./${relative}`}'`
    })
}
