import { remember } from '@cloister/schema/internal'
import { ConstraintTable, type ConstraintValues } from './constraints.ts'
import { Endpoint, createParamsFactory, type Route } from './endpoint.ts'
import { Walk, type Match } from './find.ts'
import { createTree, type Node } from './node.ts'
import { printTree, type PrintOptions } from './print.ts'
import { expandOptional, parsePath, type PathOptions, type RoutePath } from './parse-path.ts'
import { readTarget, withoutIgnored, type TargetOptions } from './read-target.ts'

const SLASH = 47

/** Options for the paths of routes and the targets of requests. */
export interface RouterOptions extends PathOptions, TargetOptions {}

/** A target that no route can match: it cannot be decoded, or a parameter is too long. */
export class TargetProblem {
  readonly path: string
  readonly isTooLong: boolean

  constructor(path: string, isTooLong: boolean) {
    this.path = path
    this.isTooLong = isTooLong
  }
}

/** Thrown for a second route with the same method, path and constraints. */
export class RouteTaken<Stored> extends Error {
  /** the value stored with the first route */
  readonly stored: Stored

  constructor({ method, shape }: Route<Stored>, stored: Stored) {
    super(`Method '${method}' already declared for route '${shape}'`)
    this.stored = stored
  }
}

/**
 * Finds the route for a method, a path and constraints. Segment by segment, text takes precedence over a parameter, and
 * a parameter over a wildcard.
 */
export class Router<Stored> {
  readonly constraints: ConstraintTable = new ConstraintTable()
  readonly #options: RouterOptions
  /** targets can be followed without parsing */
  readonly #isDirect: boolean
  readonly #walk: Walk<Stored>
  /** method -> the node before all its paths */
  readonly #trees = new Map<string, Node<Endpoint<Stored>>>()
  /** the most used tree */
  #getTree: Node<Endpoint<Stored>> | undefined
  readonly #routes = new Set<Route<Stored>>()
  /** method and shape -> the routes, which differ in their constraints */
  readonly #byShape = new Map<string, Route<Stored>[]>()

  constructor(options: RouterOptions) {
    this.#options = options
    this.#walk = new Walk(options)
    this.#isDirect = options.caseSensitive && !options.ignoreTrailingSlash && !options.ignoreDuplicateSlashes
  }

  /**
   * Adds a route; two if its last parameter is optional.
   *
   * @throws an Error with the mistake in the path or the constraints; {@link RouteTaken} for a second route
   */
  add(method: string, path: string, constraints: ConstraintValues, stored: Stored): void {
    this.constraints.check(constraints)
    this.constraints.use(constraints)
    for (const one of expandOptional(path)) {
      const written = withoutIgnored(one, this.#options)
      const { parts, ...rest } = parsePath(written, this.#options)
      const createParams = createParamsFactory(rest.names)
      const route = { method, path: written, constraints, stored, createParams, ...rest }
      const twins = this.#twins(route)
      const twin = twins.find((other) => isSameConstraints(other.constraints, constraints))
      if (twin !== undefined) throw new RouteTaken(route, twin.stored)
      this.#plant(route, parts)
      twins.push(route)
      this.#routes.add(route)
    }
  }

  #twins({ method, shape }: Pick<Route<Stored>, 'method' | 'shape'>): Route<Stored>[] {
    return remember(this.#byShape, `${method} ${shape}`, () => [])
  }

  /** Adds a route at its place in the tree of its method; makes what is missing. */
  #plant(route: Route<Stored>, parts: RoutePath['parts']): void {
    const tree = remember(this.#trees, route.method, () => createTree<Endpoint<Stored>>())
    if (route.method === 'GET') this.#getTree = tree
    tree.endOf(parts, () => new Endpoint(this.constraints)).add(route)
  }

  /** Removes the route with this method, path and constraints, if there is one. */
  remove(method: string, path: string, constraints: ConstraintValues): void {
    for (const one of expandOptional(path)) {
      const route = this.defined(method, one, constraints)
      if (route === null) continue
      const twins = this.#twins(route)
      twins.splice(twins.indexOf(route), 1)
      this.#routes.delete(route)
      this.#trees.delete(method)
      if (method === 'GET') this.#getTree = undefined
      for (const left of this.#routes)
        if (left.method === method) this.#plant(left, parsePath(left.path, this.#options).parts)
    }
  }

  /** Returns the route that was added with this method, path and constraints. */
  defined(method: string, path: string, constraints: ConstraintValues): Route<Stored> | null {
    const { shape, key } = parsePath(withoutIgnored(path, this.#options), this.#options)
    const twins = this.#byShape.get(`${method} ${shape}`) ?? []
    return twins.find((twin) => twin.key === key && isSameConstraints(twin.constraints, constraints)) ?? null
  }

  /**
   * Prints the routes as a tree of their paths.
   *
   * @param describe - returns properties that are printed beside a route
   */
  print(options: PrintOptions, describe: (route: Route<Stored>) => object): string {
    const { method } = options
    const routes = [...this.#routes].filter((route) => method === undefined || route.method === method)
    if (routes.length === 0) return '(empty tree)'
    const tree = createTree<Route<Stored>[]>()
    for (const route of routes) tree.endOf(parsePath(route.path, this.#options).parts, () => []).push(route)
    return printTree(tree, options, describe)
  }

  /** Finds the route for a request target. */
  find(
    method: string,
    target: string,
    constraints: ConstraintValues | undefined,
  ): Match<Stored> | TargetProblem | null {
    const tree = (method === 'GET' ? this.#getTree : undefined) ?? this.#trees.get(method)
    if (tree === undefined) return null
    // Strategies of the application may look up another route in between.
    const walk = constraints === undefined ? this.#walk : new Walk<Stored>(this.#options)
    walk.constraints = constraints
    walk.hasLongParameter = false
    walk.isUnclear = false
    if (this.#isDirect && target.charCodeAt(0) === SLASH) {
      walk.path = target
      walk.original = target
      walk.query = null
      const slash = tree.wildcard === null ? tree.children[0] : undefined
      const found = slash === undefined ? walk.from(tree, 0, 0) : walk.from(slash, 1, 0)
      if (found !== null || !(walk.hasLongParameter || target.includes('%'))) return found
    }
    const read = readTarget(target, this.#options)
    if (read === null) return new TargetProblem(target, false)
    Object.assign(walk, read)
    walk.hasLongParameter = false
    walk.isUnclear = false
    const found = walk.from(tree, 0, 0)
    return found === null && walk.hasLongParameter ? new TargetProblem(read.original, true) : found
  }
}

function isSameConstraints(constraints: ConstraintValues, wanted: ConstraintValues): boolean {
  const names = Object.keys(constraints)
  return (
    names.length === Object.keys(wanted).length &&
    names.every((name) => isSame(constraints[name], wanted[name]))
  )
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (a instanceof RegExp && b instanceof RegExp) return String(a) === String(b)
  return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b)
}
