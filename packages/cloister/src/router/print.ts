import { getOrMake, isFunction } from '../guards.ts'
import type { ConstraintValues } from './constraints.ts'
import type { Route } from './endpoint.ts'
import type { Node } from './node.ts'

/** What is printed, and how. */
export interface PrintOptions {
  /** the routes of this method alone */
  readonly method: string | undefined
  /** `false` prints whole segments, where text that paths share is a line of its own otherwise */
  readonly commonPrefix: boolean
  /** what `describe` says of a route: all of it, or these keys */
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
  /** Routes that differ in their method alone share a line. */
  const lineOf = (
    label: string,
    routes: readonly Route<Stored>[] | null,
    below: readonly Branch[],
  ): Branch => {
    const methods = new Map<string, string[]>()
    for (const route of routes ?? []) {
      const meta = includeMeta === false ? '' : printMeta(describe(route), includeMeta)
      getOrMake(methods, printConstraints(route.constraints) + meta, () => []).push(route.method)
    }
    return { label, ends: [...methods].map(([rest, names]) => ` (${names.join(', ')})${rest}`), below }
  }
  const branches = (node: Node<Route<Stored>[]>, path: string): Branch[] => {
    const isLine = node.endpoint !== null || commonPrefix
    // What follows a parameter is part of its line only where it has one of its own.
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

/** A value as JSON can say it. */
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
