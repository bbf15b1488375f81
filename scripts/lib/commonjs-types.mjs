// The declarations of an entry for those who `require` it. They name the types of the ES module and declare none of
// their own: a plugin in CommonJS and an app of ES modules then augment the same interfaces.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { parseSync } from 'oxc-parser'

const AS_MODULE = "with { 'resolution-mode': 'import' }"

/**
 * @typedef {object} Exported
 * @property {boolean} isType whether it can be used as a type: an interface, an alias, a class
 * @property {boolean} isValue
 */
/** @typedef {import('oxc-parser').StaticExportEntry} ExportEntry */

/**
 * The text of a declaration file in CommonJS for an ES module.
 *
 * @param {string} file the declarations of the module
 * @param {string} folder where the text will be
 */
export function commonJsTypes(file, folder) {
  const from = `'${relative(folder, file).replace(/\.d\.ts$/, '.js')}' ${AS_MODULE}`
  const exported = exportsOf(file)
  if ([...exported.values()].every(({ isValue }) => !isValue)) return `export type * from ${from}\n`
  const types = [...exported].flatMap(([name, { isType }]) => (isType && name !== 'default' ? [name] : []))
  const lines = [
    `import type * as names from ${from}`,
    ...block('import type {', types, (name) => `${name} as ${name}_`, `} from ${from}`),
    `declare const entry: ${exported.has('default') ? 'typeof names.default & ' : ''}typeof names`,
    ...block('declare namespace entry { export type {', types, (name) => `${name}_ as ${name}`, '} }'),
    'export = entry',
  ]
  return `${lines.join('\n')}\n`
}

/**
 * Lines of a list of names; none where there are no names.
 *
 * @param {string} open @param {readonly string[]} names @param {(name: string) => string} line @param {string} close
 */
function block(open, names, line, close) {
  return names.length === 0 ? [] : [open, ...names.map((name) => `  ${line(name)},`), close]
}

/**
 * What a declaration file exports, by name, those of the files that it re-exports included.
 *
 * @param {string} file
 * @returns {Map<string, Exported>}
 */
function exportsOf(file) {
  const { program, module, errors } = parseSync(file, readFileSync(file, 'utf8'))
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  /** @type {Map<string, Exported>} */
  const found = new Map()
  for (const entry of module.staticExports.flatMap(({ entries }) => entries)) {
    const from = entry.moduleRequest === null ? null : declarationsOf(entry.moduleRequest.value, file)
    const { name } = entry.exportName
    if (name !== null || entry.exportName.kind === 'Default') {
      const origin = from === null ? undefined : exportsOf(from).get(entry.importName.name ?? 'default')
      const own = origin === undefined ? declared(program, module, file, entry) : limited(origin, entry)
      found.set(name ?? 'default', own)
    } else if (from !== null) {
      for (const [key, one] of exportsOf(from))
        if (key !== 'default' && !found.has(key)) found.set(key, limited(one, entry))
    }
  }
  return found
}

/** `export type` lets no value through. @param {Exported} one @param {ExportEntry} entry @returns {Exported} */
function limited(one, entry) {
  return { isType: one.isType, isValue: one.isValue && !entry.isType }
}

/**
 * What a name of the file itself is.
 *
 * @param {import('oxc-parser').Program} program
 * @param {import('oxc-parser').EcmaScriptModule} module
 * @param {string} file
 * @param {ExportEntry} entry
 * @returns {Exported}
 */
function declared(program, module, file, { localName, exportName }) {
  const name = localName.name ?? exportName.name
  for (const statement of program.body) {
    const node = 'declaration' in statement && statement.declaration ? statement.declaration : statement
    if (!('id' in node) || node.id === null || !('name' in node.id) || node.id.name !== name) continue
    if (node.type === 'ClassDeclaration') return { isType: true, isValue: true }
    if (node.type.startsWith('TS') && node.type !== 'TSDeclareFunction')
      return { isType: true, isValue: false }
  }
  for (const { moduleRequest, entries } of module.staticImports) {
    const imported = entries.find((one) => one.localName.value === name)
    const from = imported === undefined ? null : declarationsOf(moduleRequest.value, file)
    if (imported !== undefined && from !== null) {
      return exportsOf(from).get(imported.importName.name ?? 'default') ?? { isType: true, isValue: false }
    }
    // A type of a dependency.
    if (imported !== undefined) return { isType: true, isValue: !imported.isType }
  }
  return { isType: false, isValue: true }
}

/** The declarations that a specifier leads to; none of dependencies. @param {string} from @param {string} importer */
function declarationsOf(from, importer) {
  if (from.startsWith('.')) return path.resolve(path.dirname(importer), from.replace(/\.[jt]s$/, '.d.ts'))
  if (from !== 'cloister') return null
  const manifest = createRequire(importer).resolve('cloister/package.json')
  const types = path.join(path.dirname(manifest), 'dist', 'index.d.ts')
  return existsSync(types) ? types : null
}

/** @param {string} folder @param {string} file */
function relative(folder, file) {
  const name = path.relative(folder, file).split(path.sep).join('/')
  return name.startsWith('.') ? name : `./${name}`
}
