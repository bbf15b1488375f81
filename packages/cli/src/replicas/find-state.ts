import type { Node } from 'oxc-parser'
import type { SourceFile } from '../doctor/differences.ts'

/** A variable that requests change and that each process has for itself. */
export interface StatePlace {
  readonly file: string
  readonly line: number
  readonly name: string
}

const CONTAINERS = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'Array'])
const CHANGES = new Set(['set', 'add', 'push', 'unshift', 'splice', 'delete', 'clear', 'pop', 'shift'])

/**
 * Finds variables of a file, or of a function that makes an app, which functions within change: counters, lists and
 * maps. Other files may change a list or a map that is exported.
 */
export async function findState({ path, text }: SourceFile): Promise<StatePlace[]> {
  const { parseSync } = await import('oxc-parser')
  const declared = new Map<string, { depth: number; start: number }>()
  const changed = new Map<string, number>()
  const visit = (node: unknown, depth: number): void => {
    if (Array.isArray(node)) {
      for (const one of node) visit(one, depth)
      return
    }
    if (!isNode(node)) return
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && mayChange(node.init))
      declared.set(node.id.name, { depth, start: node.start })
    if (node.type === 'ExportNamedDeclaration' && node.declaration?.type === 'VariableDeclaration')
      for (const { id, init } of node.declaration.declarations)
        if (id.type === 'Identifier' && isContainer(init)) changed.set(id.name, 1)
    const name = changedBy(node)
    if (name !== null) changed.set(name, Math.max(depth, changed.get(name) ?? 0))
    const within = /Function/.test(node.type) ? depth + 1 : depth
    for (const [key, value] of Object.entries(node)) if (key !== 'parent') visit(value, within)
  }
  visit(parseSync(path, text).program, 0)
  return [...declared]
    .filter(([name, { depth }]) => (changed.get(name) ?? 0) > depth)
    .map(([name, { start }]) => ({ file: path, line: text.slice(0, start).split('\n').length, name }))
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Whether a variable holds a list or a map, which other files may change. */
function isContainer(init: Node | null): boolean {
  return (
    init !== null && (init.type === 'NewExpression' || init.type === 'ArrayExpression') && mayChange(init)
  )
}

/** Whether a variable can be changed in place, or holds a number or nothing. */
function mayChange(init: Node | null): boolean {
  if (init === null) return true
  if (init.type === 'NewExpression')
    return init.callee.type === 'Identifier' && CONTAINERS.has(init.callee.name)
  return ['ArrayExpression', 'ObjectExpression', 'Literal', 'UnaryExpression'].includes(init.type)
}

/** Returns the variable that an expression changes. */
function changedBy(node: Node): string | null {
  if (node.type === 'UpdateExpression') return rootOf(node.argument)
  if (node.type === 'AssignmentExpression') return rootOf(node.left)
  if (node.type === 'UnaryExpression' && node.operator === 'delete') return rootOf(node.argument)
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return null
  const { property, object } = node.callee
  return property.type === 'Identifier' && CHANGES.has(property.name) ? rootOf(object) : null
}

function rootOf(node: Node): string | null {
  if (node.type === 'Identifier') return node.name
  return node.type === 'MemberExpression' ? rootOf(node.object) : null
}
