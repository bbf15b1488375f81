// Resolves the names in a declaration file, in this file and in those that it imports and re-exports.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { parseSync } from 'oxc-parser'

/** @typedef {import('oxc-parser').Node} Node */
/** @typedef {{ file: string, text: string, program: import('oxc-parser').Program, module: import('oxc-parser').EcmaScriptModule }} Parsed */
/** @typedef {{ node: Node | null, file: Parsed }} Found the declaration of a name; no node when it is a dependency's */
/** @typedef {Found & { isValue: boolean, package?: string }} Exported with the package that `export *` takes it from */

/** @param {string} file absolute path of a declaration file @returns {Parsed} */
export function parseDeclarations(file) {
  const text = readFileSync(file, 'utf8')
  const { program, module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  return { file, text, program, module }
}

/**
 * Returns the exports of a file by name; `isValue` is false for those of `export type`.
 *
 * @param {Parsed} file
 * @param {Map<string, Map<string, Exported>>} [known] the exports of files that were read before, by path
 * @returns {Map<string, Exported>}
 */
export function exportsOf(file, known = new Map()) {
  const before = known.get(file.file)
  if (before !== undefined) return before
  /** @type {Map<string, Exported>} */
  const found = new Map()
  known.set(file.file, found)
  for (const entry of file.module.staticExports.flatMap(({ entries }) => entries)) {
    const { exportName, importName, localName, moduleRequest } = entry
    const from = moduleRequest === null ? null : fileOf(moduleRequest.value, file)
    const name = exportName.kind === 'Default' ? 'default' : exportName.name
    if (name !== null && moduleRequest === null) {
      found.set(name, { ...declarationOf(localName.name ?? name, file, known), isValue: true })
    } else if (name !== null) {
      const origin = from === null ? undefined : exportsOf(from, known).get(importName.name ?? 'default')
      found.set(name, { node: null, file, ...origin, isValue: origin?.isValue === true && !entry.isType })
    } else if (from !== null) {
      const other = moduleRequest?.value.startsWith('.') === false ? { package: moduleRequest.value } : {}
      for (const [key, one] of exportsOf(from, known)) {
        if (key !== 'default' && !found.has(key))
          found.set(key, { ...one, ...other, isValue: one.isValue && !entry.isType })
      }
    }
  }
  return found
}

/**
 * Returns the declaration of a name in the scope of a file.
 *
 * @param {string} name @param {Parsed} file @param {Map<string, Map<string, Exported>>} [known] as of {@link exportsOf}
 * @returns {Found}
 */
export function declarationOf(name, file, known = new Map()) {
  for (const statement of file.program.body) {
    const node = 'declaration' in statement && statement.declaration ? statement.declaration : statement
    const candidates = node.type === 'VariableDeclaration' ? node.declarations : [node]
    const own = candidates.find((one) => 'id' in one && one.id?.type === 'Identifier' && one.id.name === name)
    if (own !== undefined) return { node: own, file }
  }
  for (const { moduleRequest, entries } of file.module.staticImports) {
    const imported = entries.find(({ localName }) => localName.value === name)
    const from = imported === undefined ? null : fileOf(moduleRequest.value, file)
    const origin =
      from === null ? undefined : exportsOf(from, known).get(imported?.importName.name ?? 'default')
    if (origin !== undefined) return origin
  }
  return { node: null, file }
}

/** The entries of the framework that other packages re-export. */
const ENTRIES = new Map([
  ['cloister', 'index.d.ts'],
  ['cloister/types', 'types/public.d.ts'],
])

/** Returns the declaration file for a specifier; for dependencies, only those of the framework.
 * @param {string} specifier @param {Parsed} importer */
function fileOf(specifier, { file }) {
  if (specifier.startsWith('.')) {
    return parseDeclarations(path.resolve(path.dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts')))
  }
  const entry = ENTRIES.get(specifier)
  if (entry === undefined) return null
  const manifest = createRequire(file).resolve('cloister/package.json')
  const types = path.join(path.dirname(manifest), 'dist', entry)
  return existsSync(types) ? parseDeclarations(types) : null
}
