/** A node of a syntax tree (ESTree). */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly [member: string]: unknown
}

/** Whether a value is a node, of one of the types if any are given. */
export function isNode(value: unknown, ...types: readonly string[]): value is SyntaxNode {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false
  return typeof value.type === 'string' && (types.length === 0 || types.includes(value.type))
}

/** Yields all nodes of a tree, outer ones first, except those for which `skip` returns true. */
export function* nodesOf(
  value: unknown,
  skip: (node: SyntaxNode) => boolean = () => false,
): Generator<SyntaxNode> {
  if (Array.isArray(value)) for (const one of value) yield* nodesOf(one, skip)
  if (!isNode(value) || skip(value)) return
  yield value
  for (const member of Object.values(value)) if (typeof member === 'object') yield* nodesOf(member, skip)
}

/** Returns the name of an identifier, the value of a string, or the name of the member that an expression reads. */
export function nameOf(value: unknown): string {
  if (!isNode(value)) return ''
  if (isNode(value, 'Identifier')) return String(value['name'])
  if (isNode(value, 'Literal')) return typeof value['value'] === 'string' ? value['value'] : ''
  if (isNode(value, 'MemberExpression')) return nameOf(value['property'])
  return isNode(value, 'ChainExpression', 'TSNonNullExpression') ? nameOf(value['expression']) : ''
}

/** Returns the arguments of a call of a method or function with one of these names; otherwise `null`. */
export function callOf(node: SyntaxNode, ...names: readonly string[]): readonly unknown[] | null {
  if (node.type !== 'CallExpression' || !names.includes(nameOf(node['callee']))) return null
  const { arguments: given } = node
  return Array.isArray(given) ? Array.from<unknown>(given) : []
}

const FUNCTIONS = ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration']

export function isFunctionNode(value: unknown): value is SyntaxNode {
  return isNode(value, ...FUNCTIONS)
}
