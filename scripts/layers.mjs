// The layer check. Rules:
// 1. a package imports only packages of a lower layer, by name, never by a path into another package;
// 2. inside a package, a room imports values only from rooms below it (`import type` is free);
// 3. values are imported without cycles;
// 4. in the packages of `wholeRooms`, no circle of imports leaves a room, including types;
// 5. only entry points (`exports` of package.json) and the table's barrels re-export; `types/` re-exports its types;
// 6. relative imports have the extension of an existing file;
// 7. rooms that run on every platform import nothing from Node (`withoutNode` of the table), not even types;
// 8. folders that are kept apart import nothing from each other (`apart` of the table), not even types;
// 9. only the listed importers may import a file with such a list (`importers` of the table), including types.
// The table is `layers.json`: packages by layer, rooms from the bottom to the top.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { circlesOf, graphOf, roomOf } from './lib/import-graph.mjs'
import { readModule, typescriptFiles } from './lib/modules.mjs'

/** @typedef {import('./lib/modules.mjs').Module} Module */
/** @typedef {import('./lib/modules.mjs').Import} Import */
/** @typedef {{ packages: Record<string, number>, barrels: string[], wholeRooms: string[], rooms: Record<string, string[][]>, withoutNode?: Record<string, string[]>, apart?: Record<string, string[]>, importers?: Record<string, string[]> }} Table */
/** @typedef {{ name: string, folder: string, entryPoints: readonly string[] }} Package */

const root = process.cwd()
const table = /** @type {Table} */ (JSON.parse(readFileSync(path.join(root, 'scripts/layers.json'), 'utf8')))
/** @type {string[]} */
const faults = []

/** @param {Module} module @param {Import} imported @param {string} what */
function fault(module, imported, what) {
  const line = `${path.relative(root, module.file)}:${imported.line} ${what}`
  if (!faults.includes(line)) faults.push(line)
}

/** Returns the source files in the `exports` of a package's package.json.
 * @param {string} folder @returns {string[]} */
function entryPointsOf(folder) {
  /** @type {{ exports?: Record<string, string | Record<string, string>> }} */
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  return Object.values(manifest.exports ?? {}).flatMap((target) => {
    const source = typeof target === 'string' ? undefined : target['@cloister/source']
    return source === undefined ? [] : [path.join(folder, source)]
  })
}

/** @type {Package[]} */
const packages = Object.keys(table.packages).flatMap((name) => {
  const folder = path.join(root, 'packages', name.replace('@cloister/', ''))
  // The workspace of the planted faults only has some of the packages.
  return existsSync(folder) ? [{ name, folder, entryPoints: entryPointsOf(folder) }] : []
})

/** Returns the name of the workspace package for a bare specifier.
 * @param {string} specifier */
function packageOf(specifier) {
  return Object.keys(table.packages).find((name) => specifier === name || specifier.startsWith(`${name}/`))
}

/** @param {Package} owner @param {Module} module @param {Import} imported */
function checkPackageImport(owner, module, imported) {
  const target = packageOf(imported.from)
  if (target === undefined || target === owner.name) return
  const own = table.packages[owner.name] ?? 0
  const other = table.packages[target] ?? 0
  if (other >= own) {
    fault(
      module,
      imported,
      `${owner.name} (layer ${own}) imports ${target} (layer ${other}); only lower layers may be imported`,
    )
  }
}

/** @param {Package} owner @param {Module} module @param {Import} imported */
function checkPlatform(owner, module, imported) {
  if (!imported.from.startsWith('node:')) return
  const room = roomOf(path.join(owner.folder, 'src'), module.file)
  if (table.withoutNode?.[owner.name]?.includes(room) !== true) return
  fault(module, imported, `the room ${room} imports ${imported.from}; it must run on every platform`)
}

/** @param {Package} owner @param {Module} module @param {Import} imported @returns {string | undefined} */
function checkRelativeImport(owner, module, imported) {
  const target = path.resolve(path.dirname(module.file), imported.from)
  const reachesOut = module.file.startsWith(path.join(owner.folder, 'src') + path.sep)
    ? !target.startsWith(owner.folder + path.sep)
    : target.startsWith(path.join(root, 'packages') + path.sep) && !target.startsWith(owner.folder + path.sep)
  if (reachesOut) {
    fault(
      module,
      imported,
      `reaches out of its package with ${imported.from}; import the package by its name`,
    )
    return undefined
  }
  if (!/\.(ts|mts|mjs|json)$/.test(imported.from)) {
    fault(module, imported, `imports ${imported.from} without its .ts ending`)
    return undefined
  }
  if (!existsSync(target)) {
    fault(module, imported, `imports ${imported.from}, which does not exist`)
    return undefined
  }
  return target
}

/** @param {Package} owner @param {Module} module @param {Import} imported @param {string} target */
function checkRooms(owner, module, imported, target) {
  const rooms = table.rooms[owner.name]
  if (rooms === undefined || imported.typeOnly) return
  const src = path.join(owner.folder, 'src')
  const [from, to] = [roomOf(src, module.file), roomOf(src, target)]
  if (from === to) return
  const [fromLevel, toLevel] = [from, to].map((room) => rooms.findIndex((level) => level.includes(room)))
  if (fromLevel === undefined || toLevel === undefined) return
  if (fromLevel === -1)
    fault(module, imported, `lies in the room ${from}, which scripts/layers.json does not know`)
  else if (toLevel === -1)
    fault(module, imported, `imports from the room ${to}, which scripts/layers.json does not know`)
  else if (toLevel >= fromLevel) {
    fault(module, imported, `the room ${from} imports a value from ${to}, which is not below it`)
  }
}

/** @param {Module} module @param {Import} imported @param {string} target */
function checkApart(module, imported, target) {
  for (const [folder, others] of Object.entries(table.apart ?? {})) {
    if (!path.relative(root, module.file).startsWith(`${folder}/`)) continue
    const other = others.find((name) => `${path.relative(root, target)}/`.startsWith(`${name}/`))
    if (other !== undefined)
      fault(module, imported, `${folder} imports from ${other}; the two are kept apart`)
  }
}

/** @param {Module} module @param {Import} imported @param {string} target */
function checkImporters(module, imported, target) {
  const importers = table.importers?.[path.relative(root, target)]
  if (importers === undefined || importers.includes(path.relative(root, module.file))) return
  fault(module, imported, `imports ${imported.from}; only ${importers.join(', ')} may`)
}

/** Reports each cycle of value imports once.
 * @param {Map<string, string[]>} graph */
function checkCycles(graph) {
  const done = new Set()
  /** @type {string[]} */
  const trail = []
  /** @param {string} file */
  const visit = (file) => {
    if (done.has(file)) return
    const at = trail.indexOf(file)
    if (at !== -1) {
      const cycle = [...trail.slice(at), file].map((name) => path.relative(root, name))
      faults.push(`cycle of value imports: ${cycle.join(' -> ')}`)
      return
    }
    trail.push(file)
    for (const next of graph.get(file) ?? []) visit(next)
    trail.pop()
    done.add(file)
  }
  for (const file of graph.keys()) visit(file)
}

/** @param {Package} owner @param {string} file @param {Map<string, string[]>} graph */
function checkModule(owner, file, graph) {
  const module = readModule(file)
  const relative = path.relative(path.join(owner.folder, 'src'), file)
  const inSource = file.startsWith(path.join(owner.folder, 'src') + path.sep)
  /** @type {string[]} */
  const values = []
  for (const imported of module.imports) {
    if (!imported.from.startsWith('.')) {
      if (inSource) {
        checkPackageImport(owner, module, imported)
        checkPlatform(owner, module, imported)
      }
      continue
    }
    const target = checkRelativeImport(owner, module, imported)
    if (target === undefined || !inSource) continue
    checkRooms(owner, module, imported, target)
    checkApart(module, imported, target)
    checkImporters(module, imported, target)
    if (!imported.typeOnly) values.push(target)
    const mayReexport =
      owner.entryPoints.includes(file) ||
      table.barrels.includes(path.relative(root, file)) ||
      (imported.typeOnly && relative.startsWith(`types${path.sep}`))
    if (imported.reexport && !mayReexport) {
      fault(module, imported, `re-exports ${imported.from}; only an entry point is a barrel`)
    }
  }
  if (inSource) graph.set(file, values)
}

/** Reports the circles of imports that leave a room, including types. @param {Package} owner */
function checkWholeRooms(owner) {
  const src = path.join(owner.folder, 'src')
  for (const circle of circlesOf(graphOf(src), true)) {
    const rooms = [...new Set(circle.map((file) => roomOf(src, file)))]
    if (rooms.length < 2) continue
    const files = circle.map((file) => path.relative(root, file)).toSorted()
    faults.push(`circle of imports across the rooms ${rooms.join(', ')}: ${files.join(', ')}`)
  }
}

for (const owner of packages) {
  /** @type {Map<string, string[]>} */
  const graph = new Map()
  for (const folder of ['src', 'test']) {
    for (const file of typescriptFiles(path.join(owner.folder, folder))) checkModule(owner, file, graph)
  }
  checkCycles(graph)
  if (table.wholeRooms.includes(owner.name)) checkWholeRooms(owner)
}

for (const line of faults) console.log(line)
console.log(faults.length === 0 ? 'The layers hold.' : `${faults.length} faults in the layers.`)
process.exitCode = faults.length === 0 ? 0 : 1
