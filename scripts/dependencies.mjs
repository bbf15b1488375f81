// Checks that every dependency of every workspace has a line in docs/dependencies.md, and that every line has its
// dependency. Checks that the lock file contains no download addresses and is complete. A line is a row of a table:
// | `name` | who uses it | why |, where a `*` in the name matches any characters.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

const root = process.cwd()
const document = 'docs/dependencies.md'

/** @typedef {{ name?: string, workspaces?: string[], dependencies?: Record<string, string>, devDependencies?: Record<string, string>, peerDependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Manifest */

/** @param {string} folder @returns {Manifest} */
function manifest(folder) {
  return /** @type {Manifest} */ (JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')))
}

/** Returns the folders that match a workspace pattern (`name` or `name/*`). @param {string} pattern */
function folders(pattern) {
  if (!pattern.endsWith('/*')) return [pattern]
  const parent = pattern.slice(0, -2)
  if (!existsSync(path.join(root, parent))) return []
  return readdirSync(path.join(root, parent)).map((name) => `${parent}/${name}`)
}

const workspaces = (manifest('.').workspaces ?? [])
  .flatMap(folders)
  .filter((folder) => existsSync(path.join(root, folder, 'package.json')))
const own = new Set(workspaces.map((folder) => manifest(folder).name))

/** @type {Map<string, string[]>} */
const used = new Map()
for (const folder of ['.', ...workspaces]) {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest(folder)
  for (const name of Object.keys({
    ...dependencies,
    ...devDependencies,
    ...peerDependencies,
    ...optionalDependencies,
  })) {
    if (!own.has(name)) used.set(name, [...(used.get(name) ?? []), folder])
  }
}

const lines = readFileSync(path.join(root, document), 'utf8').split('\n')
/** @type {Map<string, number>} */
const explained = new Map()
/** @type {string[]} */
const faults = []
for (const [index, line] of lines.entries()) {
  const cells = /^\| `([^`]+)` \|(.*)\|$/.exec(line.trim())
  if (cells?.[1] === undefined) continue
  const name = cells[1]
  const reason = cells[2]?.split('|').at(-1)?.trim() ?? ''
  if (explained.has(name)) faults.push(`${document}:${index + 1} ${name} has a second line`)
  if (reason.length < 10) faults.push(`${document}:${index + 1} ${name} has no reason`)
  explained.set(name, index + 1)
}

/** @param {string} pattern @param {string} name */
function matches(pattern, name) {
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.at(-1)
  return tail === undefined ? pattern === name : name.startsWith(head) && name.endsWith(tail)
}

for (const [name, where] of used) {
  if (![...explained.keys()].some((pattern) => matches(pattern, name))) {
    faults.push(`${name} (${where.join(', ')}) has no line in ${document}`)
  }
}
for (const [pattern, line] of explained) {
  if (![...used.keys()].some((name) => matches(pattern, name))) {
    faults.push(`${document}:${line} ${pattern} is no dependency of any workspace`)
  }
}

/** @type {{ packages?: Record<string, { resolved?: string, optionalDependencies?: Record<string, string> }> }} */
const lock = existsSync(path.join(root, 'package-lock.json'))
  ? JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  : {}
const locked = new Set(Object.keys(lock.packages ?? {}).map((name) => name.split('node_modules/').at(-1)))
for (const [name, { resolved = '', optionalDependencies = {} }] of Object.entries(lock.packages ?? {})) {
  if (/^[a-z+]+:\/\//.test(resolved))
    faults.push(`package-lock.json: ${name} names a download address, ${resolved}`)
  // Without the builds for other platforms, `npm ci` rejects the lock file.
  const missing = Object.keys(optionalDependencies).filter((optional) => !locked.has(optional))
  if (missing.length > 0) faults.push(`package-lock.json: ${name} lacks its optional ${missing.join(', ')}`)
}

for (const line of faults) console.log(line)
console.log(
  faults.length === 0 ? `${used.size} dependencies, each with its reason.` : `${faults.length} faults.`,
)
process.exitCode = faults.length === 0 ? 0 : 1
