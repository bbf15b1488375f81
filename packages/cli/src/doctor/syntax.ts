/** A node of a syntax tree (ESTree). */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly [member: string]: unknown
}

/** Whether a value is a node, of one of these types if there are some. */
export function isNode(value: unknown, ...types: readonly string[]): value is SyntaxNode {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false
  return typeof value.type === 'string' && (types.length === 0 || types.includes(value.type))
}

/** All nodes of a tree, from the outside to the inside; without what `skip` names. */
export function* nodesOf(
  value: unknown,
  skip: (node: SyntaxNode) => boolean = () => false,
): Generator<SyntaxNode> {
  if (Array.isArray(value)) for (const one of value) yield* nodesOf(one, skip)
  if (!isNode(value) || skip(value)) return
  yield value
  for (const member of Object.values(value)) if (typeof member === 'object') yield* nodesOf(member, skip)
}

/** The name of an identifier, a text, or of the member that an expression reads. */
export function nameOf(value: unknown): string {
  if (!isNode(value)) return ''
  if (isNode(value, 'Identifier')) return String(value['name'])
  if (isNode(value, 'Literal')) return typeof value['value'] === 'string' ? value['value'] : ''
  if (isNode(value, 'MemberExpression')) return nameOf(value['property'])
  return isNode(value, 'ChainExpression', 'TSNonNullExpression') ? nameOf(value['expression']) : ''
}

/** The arguments of a call of a method or function with this name; `null` for anything else. */
export function callOf(node: SyntaxNode, ...names: readonly string[]): readonly unknown[] | null {
  if (node.type !== 'CallExpression' || !names.includes(nameOf(node['callee']))) return null
  const { arguments: given } = node
  return Array.isArray(given) ? Array.from<unknown>(given) : []
}

const FUNCTIONS = ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration']

/** Whether a value is a function. */
export function isFunctionNode(value: unknown): value is SyntaxNode {
  return isNode(value, ...FUNCTIONS)
}
