// The modules of the packages and what each imports, read with a real parser.
import { readFileSync, readdirSync, existsSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'

/**
 * @typedef {object} Import
 * @property {string} from the specifier as written
 * @property {boolean} typeOnly true when all of it is erased at run time
 * @property {boolean} reexport true for `export … from`
 * @property {number} line
 */
/**
 * @typedef {object} Module
 * @property {string} file absolute path
 * @property {readonly Import[]} imports
 */

/**
 * Returns every file below `folder` whose name ends in `.ts`; none if the folder does not exist.
 * @param {string} folder
 * @returns {string[]}
 */
export function typescriptFiles(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.includes('node_modules'),
    )
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
}

/** Parses one file.
 * @param {string} file
 * @returns {Module} */
export function readModule(file) {
  const text = readFileSync(file, 'utf8')
  const { module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const lineAt = (/** @type {number} */ offset) => text.slice(0, offset).split('\n').length
  /** @type {Import[]} */
  const imports = []
  for (const found of module.staticImports) {
    const typeOnly = found.entries.length > 0 && found.entries.every((entry) => entry.isType)
    imports.push({ from: found.moduleRequest.value, typeOnly, reexport: false, line: lineAt(found.start) })
  }
  for (const found of module.staticExports) {
    for (const entry of found.entries) {
      if (entry.moduleRequest === null) continue
      imports.push({
        from: entry.moduleRequest.value,
        typeOnly: entry.isType,
        reexport: true,
        line: lineAt(entry.start),
      })
    }
  }
  for (const found of module.dynamicImports) {
    const specifier = text.slice(found.moduleRequest.start, found.moduleRequest.end)
    const literal = /^(['"`])([^$]*)\1$/.exec(specifier)
    if (literal?.[2] !== undefined) {
      imports.push({ from: literal[2], typeOnly: false, reexport: false, line: lineAt(found.start) })
    }
  }
  return { file, imports }
}
