import { isNode, listOf } from '@cloister/cli/internal'
import type { SyntaxNode } from '@cloister/cli/internal'

/** The value of an expression that can be read without running it. */
export interface Literal {
  readonly value: unknown
}

const WRAPPERS = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'ParenthesizedExpression']

/** Returns the expression without the types and brackets around it. */
export function unwrapped(node: SyntaxNode): SyntaxNode {
  const inner = WRAPPERS.includes(node.type) ? node['expression'] : undefined
  return isNode(inner) ? unwrapped(inner) : node
}

/** Returns the value of an expression made of literals; `null` if it depends on anything else. */
export function literalOf(given: unknown): Literal | null {
  if (!isNode(given)) return null
  const node = unwrapped(given)
  const read = READERS[node.type]
  return read === undefined ? null : read(node)
}

const READERS: Readonly<Record<string, (node: SyntaxNode) => Literal | null>> = {
  Literal: readLiteral,
  Identifier: ({ name }) => (name === 'undefined' ? { value: undefined } : null),
  TemplateLiteral: ({ quasis, expressions }) => {
    const [only, ...more] = listOf(quasis)
    if (more.length > 0 || listOf(expressions).length > 0) return null
    const value: unknown = typeof only === 'object' && only !== null ? Reflect.get(only, 'value') : null
    return typeof value === 'object' && value !== null ? { value: Reflect.get(value, 'cooked') } : null
  },
  UnaryExpression: ({ operator, argument }) => {
    const inner = literalOf(argument)
    return operator === '-' && typeof inner?.value === 'number' ? { value: -inner.value } : null
  },
  BinaryExpression: ({ operator, left, right }) => {
    const [one, other] = [literalOf(left)?.value, literalOf(right)?.value]
    if (typeof one !== 'number' || typeof other !== 'number') return null
    if (operator === '*') return { value: one * other }
    return operator === '+' ? { value: one + other } : null
  },
  ArrayExpression: ({ elements }) => {
    if (!Array.isArray(elements)) return null
    const read = elements.map(literalOf)
    return read.includes(null) ? null : { value: read.map((one) => one?.value) }
  },
  ObjectExpression: (node) => {
    const members = propertiesOf(node)
    const read = members.map(({ name, value }) => [name, name === null ? null : literalOf(value)] as const)
    if (read.some(([, one]) => one === null)) return null
    return { value: Object.fromEntries(read.map(([name, one]) => [name, one?.value])) }
  },
}

function readLiteral({ value, regex }: SyntaxNode): Literal | null {
  if (typeof regex !== 'object' || regex === null) return { value }
  return value instanceof RegExp ? { value } : null
}

/** A member of an object literal. */
export interface Property {
  /** `null` for a spread, and for a name that is computed */
  readonly name: string | null
  readonly value: SyntaxNode
}

/** Returns the members of an object literal. */
export function propertiesOf({ properties }: SyntaxNode): Property[] {
  const nodes: unknown[] = Array.isArray(properties) ? properties : []
  return nodes.filter((one) => isNode(one)).map(propertyOf)
}

function propertyOf(node: SyntaxNode): Property {
  const { key, value, argument, computed } = node
  if (!isNode(value)) return { name: null, value: isNode(argument) ? argument : node }
  if (computed === true || !isNode(key)) return { name: null, value: node }
  return { name: String(key.type === 'Literal' ? key['value'] : key['name']), value }
}
