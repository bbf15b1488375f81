// The imports of generated types: each name is imported from the module of a folder that exports it.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

const DECLARED = /^export (?:type|interface) (\w+)/gm

/**
 * Returns the module of each type that a folder exports, without generated modules.
 *
 * @param {string} folder
 * @returns {Map<string, string>}
 */
export function exportersOf(folder) {
  const modules = new Map()
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.ts') || file.endsWith('names.generated.ts')) continue
    const text = readFileSync(path.join(folder, file), 'utf8')
    for (const [, name = ''] of text.matchAll(DECLARED)) if (!modules.has(name)) modules.set(name, file)
  }
  return modules
}

/**
 * Returns import lines, in the order of the modules.
 *
 * @param {Iterable<string | readonly [own: string, other: string]>} names a pair for a name that differs here
 * @param {string} folder of the modules
 * @param {{ from?: string, verb?: 'import' | 'export' }} [where] the folder of the generated file, and what to write
 */
export function importsOf(names, folder, { from = folder, verb = 'import' } = {}) {
  const exporters = exportersOf(folder)
  /** @type {Map<string, string[]>} */
  const byModule = new Map()
  for (const given of names) {
    const [own, other] = typeof given === 'string' ? [given, given] : given
    const file = exporters.get(own)
    if (file === undefined) throw new Error(`no module below ${folder} exports the type '${own}'`)
    const those = byModule.get(file) ?? []
    byModule.set(file, [...those, own === other ? own : `${own} as ${other}`])
  }
  return [...byModule]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, those]) => {
      const relative = path.posix.relative(from, path.posix.join(folder, file))
      const module = relative.startsWith('.') ? relative : `./${relative}`
      return `${verb} type { ${those.sort().join(', ')} } from '${module}'`
    })
}
