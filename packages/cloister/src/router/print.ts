import { getOrMake, isFunction } from '../guards.ts'
import type { ConstraintValues } from './constraints.ts'
import type { Route } from './endpoint.ts'
import { createTree, type Node } from './node.ts'
import type { PathPart } from './parse-path.ts'

/** Options for printing. */
export interface PrintOptions {
  /** prints only routes of this method */
  readonly method?: string | undefined
  /** `false` prints whole segments; otherwise text that paths share has its own line */
  readonly commonPrefix?: boolean | undefined
  /** prints the properties that `describe` returns for a route: all, or these keys */
  readonly includeMeta?: boolean | readonly PropertyKey[] | undefined
}

/** A line of the tree: its text, the routes that end there, and the lines below. */
interface Branch {
  readonly label: string
  readonly routes: readonly string[]
  readonly below: Branch[]
}

const EMPTY = '(empty tree)'

/** Prints routes as a tree of their paths. */
export class RoutePrinter<Stored> {
  readonly #root: Node<Stored> = createTree()
  readonly #options: PrintOptions
  readonly #describe: (route: Route<Stored>) => object
  /** node, or the wildcard of a node -> the routes that end there */
  readonly #ends = new Map<object, Route<Stored>[]>()
  readonly #wildcards = new Map<Node<Stored>, object>()

  constructor(options: PrintOptions, describe: (route: Route<Stored>) => object) {
    this.#options = options
    this.#describe = describe
  }

  add(route: Route<Stored>, parts: readonly PathPart[]): void {
    let end: object = this.#root
    let node = this.#root
    for (const part of parts) {
      if (part.kind !== 'wildcard') {
        node = node.extend(part)
        end = node
        continue
      }
      end = getOrMake(this.#wildcards, node, () => ({}))
    }
    getOrMake(this.#ends, end, () => []).push(route)
  }

  print(): string {
    if (this.#ends.size === 0) return EMPTY
    const tree: Branch[] = []
    const starts = this.#wildcards.has(this.#root) ? [this.#root] : this.#root.children
    for (const start of starts) this.#branch(start, start.prefix, tree)
    return printBranches(tree, '')
  }

  #branch(node: Node<Stored>, path: string, into: Branch[]): void {
    const isLine = this.#ends.has(node) || this.#options.commonPrefix !== false
    const label = path === '' ? '(empty root node)' : path
    const below = isLine ? this.#line(node, label, into) : into
    const above = isLine ? '' : path
    for (const child of node.children) this.#branch(child, above + child.prefix, below)
    for (const { node: next, sources } of node.parameters) {
      // Text before a parameter is part of the parameter's line, unless it has its own line.
      this.#branch(next, above + [...sources].join('|'), below)
    }
    const wildcard = this.#wildcards.get(node)
    if (wildcard !== undefined) this.#line(wildcard, `${above}*`, below)
  }

  #line(end: object, label: string, into: Branch[]): Branch[] {
    const branch = { label, routes: this.#printRoutes(this.#ends.get(end) ?? []), below: [] }
    into.push(branch)
    return branch.below
  }

  /** Routes that differ only in their method share a line. */
  #printRoutes(routes: readonly Route<Stored>[]): string[] {
    const methods = new Map<string, string[]>()
    for (const route of routes) {
      const rest = printConstraints(route.constraints) + this.#printMeta(route)
      getOrMake(methods, rest, () => []).push(route.method)
    }
    return [...methods].map(([rest, names]) => ` (${names.join(', ')})${rest}`)
  }

  #printMeta(route: Route<Stored>): string {
    const { includeMeta = false } = this.#options
    if (includeMeta === false) return ''
    const described = this.#describe(route)
    const keys = includeMeta === true ? Reflect.ownKeys(described) : includeMeta
    return keys
      .filter((key) => Object.hasOwn(described, key))
      .map((key) => ({ key, value: Reflect.get(described, key) as unknown }))
      .filter(({ value }) => value !== undefined && value !== null)
      .map(({ key, value }) => `\n• (${String(key)}) ${JSON.stringify(plain(value))}`)
      .join('')
  }
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
    .map(({ label, routes, below }, index) => {
      const isLast = index === branches.length - 1
      const deeper = `${indent}${isLast ? '    ' : '│   '}`
      const ends = routes.join(`\n${label}`).replaceAll('\n', `\n${deeper}`)
      return `${indent}${isLast ? '└── ' : '├── '}${label}${ends}\n${printBranches(below, deeper)}`
    })
    .join('')
}
