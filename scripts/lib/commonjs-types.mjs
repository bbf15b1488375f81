// The declarations of an entry for those who `require` it. They name the types of the ES module and declare none of
// their own: a plugin in CommonJS and an app of ES modules then augment the same interfaces.
import path from 'node:path'
import { declarationOf, exportsOf, parseDeclarations } from './declarations.mjs'

/** @typedef {import('./declarations.mjs').Found} Found */
/** @typedef {import('./declarations.mjs').Parsed} Parsed */

const AS_MODULE = "with { 'resolution-mode': 'import' }"

/**
 * The text of a declaration file in CommonJS for an ES module.
 *
 * @param {string} file the declarations of the module
 * @param {string} folder where the text will be
 */
export function commonJsTypes(file, folder) {
  const parsed = parseDeclarations(file)
  const all = exportsOf(parsed)
  const from = `'${relative(folder, file).replace(/\.d\.ts$/, '.js')}' ${AS_MODULE}`
  const named = [...all].filter(([name]) => name !== 'default')
  const types = named.filter(([, one]) => isType(one) && !isClass(one)).map(([name]) => name)
  const values = named.filter(([, one]) => one.isValue && !isType(one)).map(([name]) => name)
  const classes = named.filter(([, one]) => one.isValue && isClass(one)).map(([name]) => name)
  const standard = all.get('default')
  if (standard === undefined && values.length + classes.length === 0) return `export type * from ${from}\n`
  const head = `import type * as names from ${from}`
  const members = [
    ...values.map((name) => `const ${name}: typeof names.${name}`),
    ...classes.flatMap((name) => [`const ${name}: typeof names.${name}`, `type ${name} = names.${name}`]),
  ]
  if (standard === undefined) {
    const lines = members.map((line) =>
      line.startsWith('const') ? `export declare ${line}` : `export ${line}`,
    )
    return text([head, `export type * from ${from}`, ...lines])
  }
  const signatures = signaturesOf(standard)
  if (signatures.length === 0) {
    return text([head, 'declare const entry: typeof names.default & typeof names', 'export = entry'])
  }
  return text([
    head,
    `import type {\n  ${types.join(',\n  ')},\n} from ${from}`,
    ...signatures.map((signature) => `declare function entry${signature}`),
    'declare namespace entry {',
    ...members.map((line) => `  export ${line}`),
    '  export { entry as default }',
    `  export type {\n    ${types.join(',\n    ')},\n  }`,
    '}',
    'export = entry',
  ])
}

/** @param {readonly string[]} lines */
function text(lines) {
  return `${lines.join('\n')}\n`
}

/** @param {Found} found */
function isClass({ node }) {
  return node?.type === 'ClassDeclaration'
}

/** Whether a name can be used as a type: those of dependencies are types. @param {Found} found */
function isType({ node }) {
  return node === null || /^(Class|TSInterface|TSTypeAlias|TSEnum)Declaration$/.test(node.type)
}

/**
 * The ways to call what a declaration or a type stands for, as text after the name of a function.
 *
 * @param {Found} found
 * @returns {string[]}
 */
function signaturesOf({ node, file }) {
  const below = (/** @type {Found['node'] | undefined} */ next) =>
    next === undefined || next === null ? [] : signaturesOf({ node: next, file })
  const slice = (/** @type {number} */ start, /** @type {number} */ end) => file.text.slice(start, end)
  switch (node?.type) {
    case 'TSDeclareFunction':
      return [slice(node.id?.end ?? node.start, node.end)]
    case 'TSCallSignatureDeclaration':
      return [slice(node.start, node.end)]
    case 'TSFunctionType':
      return [
        `${slice(node.start, node.returnType.start)}: ${slice(node.returnType.typeAnnotation.start, node.end)}`,
      ]
    case 'TSIntersectionType':
      return node.types.flatMap(below)
    case 'TSTypeQuery':
      return named(node.exprName, file)
    case 'TSTypeReference':
      return named(node.typeName, file)
    case 'TSTypeAliasDeclaration':
      return below(node.typeAnnotation)
    case 'VariableDeclarator':
      return below(node.id.typeAnnotation?.typeAnnotation)
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

/** @param {string} folder @param {string} file */
function relative(folder, file) {
  const name = path.relative(folder, file).split(path.sep).join('/')
  return name.startsWith('.') ? name : `./${name}`
}
