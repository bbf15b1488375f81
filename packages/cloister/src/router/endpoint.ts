import type { ConstraintStore, ConstraintTable, ConstraintValues } from './constraints.ts'

/** The values of a route's parameters by name; an object without prototype, so that no name is taken. */
export type Params = Record<string, string | undefined>

/** Makes the object of one match. */
export type ParamsFactory = (values: readonly string[]) => Params

/** Its instances inherit nothing, and are created faster than by `Object.create(null)`. */
class Bare {
  [name: string]: string | undefined
}
Object.setPrototypeOf(Bare.prototype, null)
// Otherwise each of them has a `constructor`, by which libraries take it for an instance and no plain object.
Reflect.deleteProperty(Bare.prototype, 'constructor')

/**
 * Creates the factory for the parameters of a route. Up to three names, as nearly all routes have, are written without
 * a loop.
 */
export function createParamsFactory(names: readonly string[]): ParamsFactory {
  const [first = '', second = ''] = names
  if (names.length === 0) return () => new Bare()
  if (names.length === 1) {
    return (values) => {
      const params = new Bare()
      params[first] = values[0]
      return params
    }
  }
  if (names.length === 2) {
    return (values) => {
      const params = new Bare()
      params[first] = values[0]
      params[second] = values[1]
      return params
    }
  }
  return (values) => {
    const params = new Bare()
    for (let i = 0; i < names.length; i++) params[names[i] ?? ''] = values[i]
    return params
  }
}

/** One route of a router. */
export interface Route<Stored> {
  readonly method: string
  /** the path as it was added, without ignored slashes */
  readonly path: string
  readonly names: readonly string[]
  readonly shape: string
  readonly key: string
  readonly constraints: ConstraintValues
  readonly stored: Stored
  readonly createParams: ParamsFactory
}

/** The routes with one path differ in their constraints; each route is a bit of a number. */
const MAX_ROUTES = 31

/** The routes that a value of a constraint selects. */
interface Question {
  readonly name: string
  /** value -> the bits of the routes that want it */
  readonly store: ConstraintStore
  /** the bits of the routes without this constraint; 0 if a request with a value must match a route that has it */
  readonly indifferent: number
  /** the bits of the routes without this constraint */
  readonly free: number
}

/** The routes at the end of one path. */
export class Endpoint<Stored> {
  /** the route without constraints */
  plain: Route<Stored> | null = null
  readonly #table: ConstraintTable
  /** sorted by the number of constraints; the last matching route wins */
  #routes: Route<Stored>[] = []
  #questions: Question[] = []
  /** a request with a value of these matches no route here */
  #unwanted: string[] = []
  #epoch = -1

  constructor(table: ConstraintTable) {
    this.#table = table
  }

  add(route: Route<Stored>): void {
    if (this.#routes.length >= MAX_ROUTES) {
      throw new Error(`a path takes at most ${MAX_ROUTES} routes with different constraints, limit reached`)
    }
    const rank = ({ constraints }: Route<Stored>): number => Object.keys(constraints).length
    this.#routes = [...this.#routes, route].toSorted((a, b) => rank(a) - rank(b))
    if (rank(route) === 0) this.plain = route
    this.#epoch = -1
  }

  /** Returns the route for a request; `null` if none matches. */
  pick(values: ConstraintValues | undefined): Route<Stored> | null {
    return values === undefined ? this.plain : this.#pickBy(values)
  }

  #pickBy(values: ConstraintValues): Route<Stored> | null {
    if (this.#epoch !== this.#table.epoch) this.#prepare()
    let candidates = 2 ** this.#routes.length - 1
    for (const { name, store, indifferent, free } of this.#questions) {
      const value = values[name]
      candidates &= value === undefined ? free : bitsOf(store.get(value)) | indifferent
    }
    if (candidates === 0 || this.#unwanted.some((name) => values[name] !== undefined)) return null
    return this.#routes[31 - Math.clz32(candidates)] ?? null
  }

  #prepare(): void {
    const names = new Set(this.#routes.flatMap(({ constraints }) => Object.keys(constraints)))
    this.#questions = [...names].map((name) => this.#ask(name))
    this.#unwanted = this.#table.mustMatch().filter((name) => !names.has(name))
    // Last: a store of the application that throws must not leave routes without their constraints.
    this.#epoch = this.#table.epoch
  }

  #ask(name: string): Question {
    const strategy = this.#table.strategy(name)
    const store = strategy.storage()
    let free = 0
    for (const [index, { constraints }] of this.#routes.entries()) {
      const value = constraints[name]
      const bit = 1 << index
      if (value === undefined) free |= bit
      else store.set(value, bitsOf(store.get(value)) | bit)
    }
    return { name, store, free, indifferent: strategy.mustMatchWhenDerived === true ? 0 : free }
  }
}

function bitsOf(stored: unknown): number {
  return typeof stored === 'number' ? stored : 0
}
