// The declarations of an entry for users. They refer to the types of the ES module and declare none of their own: a
// plugin in CommonJS and an app of ES modules then augment the same interfaces. An entry with a callable default
// export is a function merged with a namespace, so that `import fastify from 'fastify'` also provides
// `fastify.FastifyInstance`; the sources cannot contain a namespace, because their types must be erasable.
import path from 'node:path'
import { declarationOf, exportsOf, parseDeclarations } from './declarations.mjs'

/** @typedef {import('./declarations.mjs').Found} Found */
/** @typedef {import('./declarations.mjs').Parsed} Parsed */
/** @typedef {{ types: string[], taken: Map<string, string[]>, values: string[], classes: string[] }} Names the named exports by what they are; `taken` are types of other packages */

/**
 * Returns the text of a CommonJS declaration file for an ES module.
 *
 * @param {string} file the declarations of the module
 * @param {string} folder where the text will be
 */
export function commonJsTypes(file, folder) {
  const all = exportsOf(parseDeclarations(file))
  const standard = all.get('default')
  const from = `${specifier(folder, namesFile(file, all))} with { 'resolution-mode': 'import' }`
  const head = `import type * as names from ${from}`
  const exported = namesOf(all)
  if (standard === undefined) {
    if (exported.values.length + exported.classes.length === 0) return `export type * from ${from}\n`
    const lines = membersOf(exported).map((line) =>
      line.startsWith('const') ? `export declare ${line}` : `export ${line}`,
    )
    return text([head, `export type * from ${from}`, ...lines])
  }
  const signatures = signaturesOf(standard)
  if (signatures.length === 0) {
    return text([head, 'declare const entry: typeof names.default & typeof names', 'export = entry'])
  }
  const hidden = hiddenImports(signatures, exported, folder, " with { 'resolution-mode': 'import' }")
  return text([
    head,
    ...hidden,
    ...callable(signatures, exported, from, sameAs(all, exported)),
    'export = entry',
  ])
}

/**
 * Returns the text of a declaration file for the `import` of an ES module with a callable default export.
 *
 * @param {string} file the declarations of the module
 * @param {string} folder where the text will be
 */
export function moduleTypes(file, folder) {
  const all = exportsOf(parseDeclarations(file))
  const standard = all.get('default')
  const signatures = standard === undefined ? [] : signaturesOf(standard)
  if (signatures.length === 0) throw new Error(`${file}: its default export cannot be called`)
  const exported = namesOf(all)
  const from = specifier(folder, file)
  const same = sameAs(all, exported)
  const others = [...exported.values.filter((name) => !same.includes(name)), ...exported.classes]
  return text([
    `import type * as names from ${from}`,
    ...hiddenImports(signatures, exported, folder),
    ...callable(signatures, exported, from, same),
    `export { ${['default', ...same].map((name) => `entry as ${name}`).join(', ')} }`,
    `export { ${others.join(', ')} } from ${from}`,
    `export type * from ${from}`,
  ])
}

/**
 * Returns the lines of a function with a namespace.
 *
 * @param {readonly Signature[]} signatures
 * @param {Names} exported
 * @param {string} from where the types come from
 * @param {readonly string[]} same names of the function itself among its members
 */
function callable(signatures, exported, from, same) {
  const { types, taken, values, classes } = exported
  const others = values.filter((name) => !same.includes(name))
  const all = [types, ...taken.values()].flat()
  return [
    ...importOf(types, from),
    ...[...taken].flatMap(([name, those]) => importOf(those, `'${name}'`)),
    ...signatures.map(({ comment, parameters }) => `${comment}declare function entry${parameters}`),
    'declare namespace entry {',
    ...membersOf({ values: others, classes }).map((line) => `  export ${line}`),
    `  export { ${['default', ...same].map((name) => `entry as ${name}`).join(', ')} }`,
    `  export type {\n    ${all.join(',\n    ')},\n  }`,
    '}',
  ]
}

/**
 * Returns imports of the types in signatures that the entry itself does not export.
 *
 * @param {readonly Signature[]} signatures @param {Names} exported @param {string} folder
 * @param {string} [attributes] of the imports
 */
function hiddenImports(signatures, { types, taken }, folder, attributes = '') {
  const known = [types, ...taken.values()].flat()
  const lines = signatures.flatMap(({ file, parameters }) =>
    file.module.staticImports.flatMap(({ moduleRequest: { value }, entries }) => {
      const names = entries.map(({ localName }) => localName.value)
      const hidden = names.filter(
        (name) => !known.includes(name) && new RegExp(`\\b${name}\\b`).test(parameters),
      )
      const target = path.resolve(path.dirname(file.file), value.replace(/\.ts$/, '.d.ts'))
      const from = value.startsWith('.') ? specifier(folder, target) : `'${value}'`
      return importOf(hidden, `${from}${attributes}`)
    }),
  )
  return [...new Set(lines)]
}

/**
 * Returns the declaration file to import names from: that of the default export, which has no `export *` of another
 * package, if it also has the other values.
 *
 * @param {string} file @param {ReturnType<typeof exportsOf>} all
 */
function namesFile(file, all) {
  const declared = all.get('default')?.file.file ?? file
  if (path.dirname(declared) !== path.dirname(file)) return file
  const own = exportsOf(parseDeclarations(declared))
  const { values, classes } = namesOf(all)
  return [...values, ...classes].every((name) => own.has(name)) ? declared : file
}

/** @param {readonly string[]} types @param {string} from */
function importOf(types, from) {
  return types.length === 0 ? [] : [`import type {\n  ${types.join(',\n  ')},\n} from ${from}`]
}

/**
 * Returns other names of the default export, under which the namespace exists too.
 *
 * @param {ReturnType<typeof exportsOf>} all @param {Names} exported
 */
function sameAs(all, { values }) {
  return values.filter((name) => all.get(name)?.node === all.get('default')?.node)
}

/** @param {ReturnType<typeof exportsOf>} all @returns {Names} */
function namesOf(all) {
  const named = [...all].filter(([name]) => name !== 'default')
  const types = named.filter(([, one]) => isType(one) && !isClass(one))
  // Types of another package are imported from there by name: when the compiler reads its declarations for `require`
  // (`node10`), `export *` does not re-export them.
  /** @type {Map<string, string[]>} */
  const taken = new Map()
  for (const [name, one] of types) {
    if (one.package !== undefined) taken.set(one.package, [...(taken.get(one.package) ?? []), name])
  }
  return {
    types: types.filter(([, one]) => one.package === undefined).map(([name]) => name),
    taken,
    values: named.filter(([, one]) => one.isValue && !isType(one)).map(([name]) => name),
    classes: named.filter(([, one]) => one.isValue && isClass(one)).map(([name]) => name),
  }
}

/** Returns declarations for the values among the names. @param {Pick<Names, 'values' | 'classes'>} exported */
function membersOf({ values, classes }) {
  return [
    ...values.map((name) => `const ${name}: typeof names.${name}`),
    ...classes.flatMap((name) => [`const ${name}: typeof names.${name}`, `type ${name} = names.${name}`]),
  ]
}

/** @param {readonly string[]} lines */
function text(lines) {
  return `${lines.join('\n')}\n`
}

/** @param {Found} found */
function isClass({ node }) {
  return node?.type === 'ClassDeclaration'
}

/** Whether a name can be used as a type; names of dependencies can. @param {Found} found */
function isType({ node }) {
  return node === null || /^(Class|TSInterface|TSTypeAlias|TSEnum)Declaration$/.test(node.type)
}

/** @typedef {{ comment: string, parameters: string, file: Parsed }} Signature the text around the name of a function, and where it stands */

/** The signature of the default export, where its text cannot be used. */
const SAME = '(...args: Parameters<typeof names.default>): ReturnType<typeof names.default>'

/**
 * Returns the call signatures of a declaration or a type.
 *
 * @param {Found} found
 * @returns {Signature[]}
 */
function signaturesOf({ node, file }) {
  const below = (/** @type {Found['node'] | undefined} */ next) =>
    next === undefined || next === null ? [] : signaturesOf({ node: next, file })
  const slice = (/** @type {number} */ start, /** @type {number} */ end) => file.text.slice(start, end)
  const signature = (/** @type {string} */ parameters) => [{ comment: '', parameters, file }]
  switch (node?.type) {
    case 'TSDeclareFunction':
      return [
        { comment: commentOn(node, file), parameters: slice(node.id?.end ?? node.start, node.end), file },
      ]
    case 'TSCallSignatureDeclaration':
      return signature(slice(node.start, node.end))
    case 'TSFunctionType':
      return signature(
        `${slice(node.start, node.returnType.start)}: ${slice(node.returnType.typeAnnotation.start, node.end)}`,
      )
    case 'TSIntersectionType':
      return node.types.flatMap(below)
    case 'TSTypeQuery':
      return named(node.exprName, file)
    case 'TSTypeReference': {
      const found = named(node.typeName, file)
      // Signatures of a generic type name its parameters.
      return node.typeArguments == null || found.length === 0 ? found : signature(SAME)
    }
    case 'TSTypeAliasDeclaration':
      return below(node.typeAnnotation)
    case 'VariableDeclarator':
      return below(node.id.typeAnnotation?.typeAnnotation).map((one) => ({
        ...one,
        comment: one.comment || commentOn(node, file),
      }))
    case 'TSInterfaceDeclaration':
      return [
        ...node.body.body.flatMap(below),
        ...node.extends.flatMap(({ expression }) => named(expression, file)),
      ]
    default:
      return []
  }
}

/** @param {import('oxc-parser').Node} name @param {Parsed} file */
function named(name, file) {
  return name.type === 'Identifier' ? signaturesOf(declarationOf(name.name, file)) : []
}

/**
 * Returns the doc comment of a declaration, with the line break after it.
 *
 * @param {import('oxc-parser').Node} node @param {Parsed} file
 */
function commentOn({ start }, { text: source }) {
  const before = source.slice(0, start).replace(/\s*(export\s+)?(declare\s+)?(const\s+)?$/, '')
  return before.endsWith('*/') ? `${before.slice(before.lastIndexOf('/**'))}\n` : ''
}

/** @param {string} folder @param {string} file */
function specifier(folder, file) {
  const name = path
    .relative(folder, file)
    .split(path.sep)
    .join('/')
    .replace(/\.d\.ts$/, '.js')
  return name.startsWith('.') ? `'${name}'` : `'./${name}'`
}
