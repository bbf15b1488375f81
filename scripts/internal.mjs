// Entries named `internal` are for our own packages: any release may change them. This gate refuses them where users
// read or compile: in documents, examples and templates, and in the declarations that an entry of a package leads to,
// because the compiler of an application reads these too.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { trackedFiles } from './lib/files.mjs'

const INTERNAL = /(?<![\w/-])(?:@cloister\/[\w-]+|cloister)(?:\/[\w-]+)*\/internal\b/
const FOR_USERS = [
  /^README\.md$/,
  /^docs\/(?!adr\/).*\.md$/,
  /^examples\//,
  /^packages\/[^/]+\/(?:README|SKILL)\.md$/,
  /^packages\/create-cloister\/template\//,
]

const root = process.cwd()
/** @type {string[]} */
const faults = []

/** @param {string} file relative to the root */
function checkText(file) {
  const lines = readFileSync(path.join(root, file), 'utf8').split('\n')
  for (const [index, line] of lines.entries()) {
    const [found] = INTERNAL.exec(line) ?? []
    if (found !== undefined) faults.push(`${file}:${index + 1} has ${found}, which is for our own packages`)
  }
}

/** Returns the declaration files in the exports of a manifest. @param {unknown} exported @returns {string[]} */
function typesIn(exported) {
  if (typeof exported === 'string') return /\.d\.[cm]?ts$/.test(exported) ? [exported] : []
  return typeof exported === 'object' && exported !== null ? Object.values(exported).flatMap(typesIn) : []
}

/** Returns the files of a target with `*`, or the target itself. @param {string} target */
function filesOf(target) {
  const [before = '', after] = target.split('*')
  if (after === undefined) return [target]
  const folder = path.join(root, path.dirname(`${before}x`))
  const names = existsSync(folder) ? readdirSync(folder) : []
  const found = names
    .filter((name) => name.endsWith(after))
    .map((name) => path.join(path.dirname(`${before}x`), name))
  return found.length === 0 ? [target] : found
}

/** Returns the declaration files that entries lead to, including these. @param {readonly string[]} entries */
function reachable(entries) {
  const found = new Set(entries)
  for (const file of found) {
    const text = readFileSync(path.join(root, file), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g)) {
      const target = path.join(path.dirname(file), specifier.replace(/\.(c|m)?[jt]s$/, '.d.$1ts'))
      if (existsSync(path.join(root, target))) found.add(target)
    }
  }
  return found
}

for (const file of trackedFiles(root)) if (FOR_USERS.some((pattern) => pattern.test(file))) checkText(file)
for (const name of readdirSync(path.join(root, 'packages'))) {
  const folder = path.join('packages', name)
  const manifest = path.join(root, folder, 'package.json')
  if (!existsSync(manifest)) continue
  /** @type {{ exports?: Record<string, unknown> }} */
  const { exports = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
  const entries = Object.entries(exports).filter(([entry]) => !entry.endsWith('/internal'))
  const types = typesIn(Object.fromEntries(entries)).flatMap((file) => filesOf(path.join(folder, file)))
  const missing = types.filter((file) => !existsSync(path.join(root, file)))
  for (const file of missing) faults.push(`${file} is missing; run npm run build`)
  for (const file of reachable(types.filter((one) => !missing.includes(one)))) checkText(file)
}

console.log(faults.length === 0 ? 'No user meets an internal entry.' : faults.join('\n'))
process.exitCode = faults.length === 0 ? 0 : 1
