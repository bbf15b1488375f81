// Removes from the build for workers what generates code: members whose text is in the template tag `code` of
// `@cloister/schema`, or that use functions that are. Workers forbid code from text, so nothing calls them there.
import { childrenOf, isSyntax, nameOf } from './syntax.mjs'

const FILES = /[\\/]schema[\\/]dist[\\/](?:keywords|walk|serializer)[\\/].+\.js$/
/** Modules whose every export is for generated code. */
const GENERATORS = /(?:codegen\/\w[\w-]*|walk\/code|\.\/code|emit\/(?:out|unit|predicates))\.js$/

/**
 * @typedef {import('./syntax.mjs').Syntax} Syntax
 * @typedef {{ start: number, end: number }} Range
 */

/** Removes the generators from a bundle. @returns {import('rolldown').Plugin} */
export function withoutCodeGeneration() {
  return {
    name: 'without-code-generation',
    transform(code, id) {
      if (!FILES.test(id)) return null
      const program = /** @type {Syntax} */ (/** @type {unknown} */ (this.parse(code)))
      const ranges = generatorsIn(program, code)
      let kept = code
      for (const { start, end } of ranges.toReversed()) kept = kept.slice(0, start) + kept.slice(end)
      return kept
    },
  }
}

/** @param {Syntax} program @param {string} code @returns {Range[]} */
function generatorsIn(program, code) {
  const names = new Set(importedGenerators(program))
  const functions = childrenOf(program).filter(({ type }) => type === 'FunctionDeclaration')
  // A function that uses a generator is one.
  for (let size = -1; size !== names.size;) {
    size = names.size
    for (const one of functions) if (uses(one, names, membersIn(one, names))) names.add(nameOf(one['id']))
    for (const { key } of membersIn(program, names)) if (key.startsWith('#')) names.add(key)
  }
  return membersIn(program, names).map(({ start, end }) => {
    const [comma = ''] = /^\s*,/.exec(code.slice(end)) ?? []
    return { start, end: end + comma.length }
  })
}

/** @param {Syntax} program */
function importedGenerators(program) {
  return childrenOf(program)
    .filter(({ type }) => type === 'ImportDeclaration')
    .filter(({ source }) => isSyntax(source) && GENERATORS.test(String(source['value'])))
    .flatMap(childrenOf)
    .flatMap(({ local }) => (isSyntax(local) ? [nameOf(local)] : []))
}

/**
 * The innermost members that use a generator.
 * @param {Syntax} node @param {ReadonlySet<string>} names @returns {(Range & { key: string })[]}
 */
function membersIn(node, names) {
  if (node.type === 'ObjectPattern') return []
  const within = childrenOf(node).flatMap((child) => membersIn(child, names))
  if (!isMember(node) || !uses(node, names, within)) return within
  return [{ start: node.start, end: node.end, key: nameOf(node['key']) }]
}

/** @param {Syntax} node */
function isMember({ type, kind, value }) {
  if (type === 'MethodDefinition') return kind !== 'constructor'
  if (type !== 'Property' || !isSyntax(value)) return false
  return ['ArrowFunctionExpression', 'FunctionExpression', 'TaggedTemplateExpression'].includes(value.type)
}

/** @param {Syntax} node @param {ReadonlySet<string>} names @param {readonly Range[]} [without] @returns {boolean} */
function uses(node, names, without = []) {
  if (without.some(({ start, end }) => start <= node.start && node.end <= end)) return false
  if (names.has(nameOf(node))) return true
  const visible = node.type.includes('Function')
    ? new Set([...names].filter((name) => !boundIn(node).includes(name)))
    : names
  return childrenOf(node).some((child) => child !== labelOf(node) && uses(child, visible, without))
}

/** The names that a function binds: those in its patterns. @param {Syntax} node @returns {string[]} */
function boundIn(node) {
  return childrenOf(node).flatMap((child) => {
    if (child.type === 'VariableDeclarator') return identifiersIn(child['id'])
    const isParameter = Array.isArray(node['params']) && node['params'].includes(child)
    return isParameter ? identifiersIn(child) : child.type.includes('Function') ? [] : boundIn(child)
  })
}

/** @param {unknown} node @returns {string[]} */
function identifiersIn(node) {
  if (!isSyntax(node)) return []
  return node.type === 'Identifier' ? [nameOf(node)] : childrenOf(node).flatMap(identifiersIn)
}

/** A name that refers to no variable: of a property, or of a property that is read. @param {Syntax} node */
function labelOf({ type, computed, key, property }) {
  if (computed === true || (isSyntax(property) && property.type === 'PrivateIdentifier')) return undefined
  return type === 'MemberExpression' ? property : type === 'Property' ? key : undefined
}
