import { remember } from '@cloister/schema/internal'
import { isFunction } from '../guards.ts'
import type { ConstraintValues } from './constraints.ts'
import type { Route } from './endpoint.ts'
import type { Node } from './node.ts'

/** Options for printing. */
export interface PrintOptions {
  /** prints only routes of this method */
  readonly method: string | undefined
  /** `false` prints whole segments; otherwise text that paths share has its own line */
  readonly commonPrefix: boolean
  /** prints the properties that `describe` returns for a route: all, or these keys */
  readonly includeMeta: boolean | readonly PropertyKey[]
}

/** A line of the tree: its text, the routes that end there, and the lines below. */
interface Branch {
  readonly label: string
  readonly ends: readonly string[]
  readonly below: readonly Branch[]
}

/**
 * Prints a tree of routes.
 *
 * @param describe - returns the metadata of a route
 */
export function printTree<Stored>(
  root: Node<Route<Stored>[]>,
  { commonPrefix, includeMeta }: PrintOptions,
  describe: (route: Route<Stored>) => object,
): string {
  /** Routes that differ only in their method share a line. */
  const lineOf = (
    label: string,
    routes: readonly Route<Stored>[] | null,
    below: readonly Branch[],
  ): Branch => {
    const methods = new Map<string, string[]>()
    for (const route of routes ?? []) {
      const meta = includeMeta === false ? '' : printMeta(describe(route), includeMeta)
      remember(methods, printConstraints(route.constraints) + meta, () => []).push(route.method)
    }
    return { label, ends: [...methods].map(([rest, names]) => ` (${names.join(', ')})${rest}`), below }
  }
  const branches = (node: Node<Route<Stored>[]>, path: string): Branch[] => {
    const isLine = node.endpoint !== null || commonPrefix
    // Text before a parameter is part of the parameter's line, unless it has its own line.
    const above = isLine ? '' : path
    const below = [
      ...node.children.flatMap((child) => branches(child, above + child.prefix)),
      ...node.parameters.flatMap((edge) => branches(edge.node, above + [...edge.sources].join('|'))),
      ...(node.wildcard === null ? [] : [lineOf(`${above}*`, node.wildcard, [])]),
    ]
    return isLine ? [lineOf(path === '' ? '(empty root node)' : path, node.endpoint, below)] : below
  }
  const starts = root.wildcard === null ? root.children : [root]
  return printBranches(
    starts.flatMap((start) => branches(start, start.prefix)),
    '',
  )
}

function printMeta(described: object, included: true | readonly PropertyKey[]): string {
  return (included === true ? Reflect.ownKeys(described) : included)
    .filter((key) => Object.hasOwn(described, key))
    .map((key) => ({ key, value: Reflect.get(described, key) as unknown }))
    .filter(({ value }) => value !== undefined && value !== null)
    .map(({ key, value }) => `\n• (${String(key)}) ${JSON.stringify(plain(value))}`)
    .join('')
}

function printConstraints(constraints: ConstraintValues): string {
  if (Object.keys(constraints).length === 0) return ''
  return ` ${JSON.stringify(constraints, (_key, value: unknown) => (value instanceof RegExp ? String(value) : value))}`
}

/** Converts a value to one that JSON can represent. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (isFunction(value)) return `${value.name.replace('bound', '').trim() || 'anonymous'}()`
  if (typeof value === 'symbol' || value instanceof RegExp) return String(value)
  return value
}

function printBranches(branches: readonly Branch[], indent: string): string {
  return branches
    .map(({ label, ends, below }, index) => {
      const isLast = index === branches.length - 1
      const deeper = `${indent}${isLast ? '    ' : '│   '}`
      const routes = ends.join(`\n${label}`).replaceAll('\n', `\n${deeper}`)
      return `${indent}${isLast ? '└── ' : '├── '}${label}${routes}\n${printBranches(below, deeper)}`
    })
    .join('')
}
