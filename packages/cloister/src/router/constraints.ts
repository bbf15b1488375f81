import { isFunction, recordOf, type Dictionary } from '../guards.ts'
import { builtInStrategies } from './strategies.ts'

/** Values of constraints by strategy name: those of a route, or those of a request. */
export type ConstraintValues = Dictionary

/** The strategies of one router, and which of them some route uses. */
export class ConstraintTable {
  readonly #strategies = new Map<string, Strategy>()
  /** strategies of the application, which may replace the built-in ones */
  readonly #own = new Set<string>()
  /** those that return their value, and those that call back */
  readonly #used = new Set<string>()
  readonly #usedLater = new Set<string>()
  /** increases with each added strategy; prepared values are then prepared again */
  epoch = 0

  /** @throws an Error for an invalid strategy, and for a name that is taken or in use */
  add(given: unknown): void {
    checkStrategy(given)
    const { name } = given
    if (this.#own.has(name))
      throw new Error(`There already exists a custom constraint with the name ${name}.`)
    if (this.has(name)) throw new Error(`There already exists a route with ${name} constraint.`)
    this.#own.add(name)
    this.#strategies.set(name, given)
    this.epoch += 1
    if (given.mustMatchWhenDerived === true) this.use({ [name]: true })
  }

  /** Whether the application added this strategy, or some route uses it. */
  has(name: string): boolean {
    return this.#own.has(name) || this.#used.has(name) || this.#usedLater.has(name)
  }

  /** Whether some value in use calls back, so that `deriveLater` must come before a request is routed. */
  get derivesLater(): boolean {
    return this.#usedLater.size > 0
  }

  /** @throws an Error for a constraint without strategy, and the errors of the strategy for its value */
  check(values: ConstraintValues): void {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) {
        throw new Error("Can't pass an undefined constraint value, must pass null or no key at all")
      }
      this.strategy(name).validate?.(value)
    }
  }

  /** Derives these values of requests from now on. */
  use(values: ConstraintValues): void {
    for (const name of Object.keys(values)) {
      const used = callsBack(this.strategy(name)) ? this.#usedLater : this.#used
      used.add(name)
    }
  }

  /** @throws an Error if there is none of this name */
  strategy(name: string): Strategy {
    // Few apps have constraints, so the strategies that need no application are made when one is used.
    const strategy = this.#strategies.get(name) ?? this.#builtIn(name)
    if (strategy === undefined) {
      const known = [...new Set(['version', 'host', ...this.#strategies.keys()])].join(', ')
      throw new Error(
        `No strategy registered for constraint key ${name}; known are ${known}, and app.addConstraintStrategy adds others`,
      )
    }
    return strategy
  }

  /** The names of the strategies with `mustMatchWhenDerived`. */
  mustMatch(): string[] {
    const others = [...this.#strategies.values()]
      .filter(({ mustMatchWhenDerived }) => mustMatchWhenDerived === true)
      .map(({ name }) => name)
    return this.#strategies.has('version') ? others : ['version', ...others]
  }

  #builtIn(name: string): Strategy | undefined {
    const strategy = builtInStrategies().get(name)
    if (strategy !== undefined) this.#strategies.set(name, strategy)
    return strategy
  }

  /** The values of a request from strategies that return them; `undefined` if no route has a constraint. */
  derive(request: unknown): Record<string, unknown> | undefined {
    if (this.#used.size === 0) return undefined
    const values: Record<string, unknown> = {}
    for (const name of this.#used) values[name] = this.strategy(name).deriveConstraint(request, undefined)
    return values
  }

  /** Derives all values of a request; the first error ends it. */
  deriveLater(request: unknown, done: (error: Error | null, values?: ConstraintValues) => void): void {
    const values = this.derive(request) ?? {}
    let missing = this.#usedLater.size
    let hasFailed = false
    if (missing === 0) done(null, values)
    for (const name of this.#usedLater) {
      this.strategy(name).deriveConstraint(request, undefined, (error, value) => {
        if (hasFailed) return
        hasFailed = error !== null
        if (!hasFailed) values[name] = value
        missing -= 1
        if (hasFailed) done(error)
        else if (missing === 0) done(null, values)
      })
    }
  }
}

function checkStrategy(given: unknown): asserts given is Strategy {
  const { name, storage, deriveConstraint } = recordOf(given)
  if (typeof name !== 'string' || name === '') throw new Error('strategy.name is required.')
  if (!isFunction(storage)) throw new Error('strategy.storage function is required.')
  if (!isFunction(deriveConstraint)) throw new Error('strategy.deriveConstraint function is required.')
}

/** Finds the value stored for a value of a constraint. */
export interface ConstraintStore {
  get(value: unknown): unknown
  set(value: unknown, stored: number): void
}

/** Selects one of several routes with the same path by a property of the request. */
export interface Strategy {
  readonly name: string
  /** a request with a value only matches routes with this constraint */
  readonly mustMatchWhenDerived?: boolean
  readonly storage: () => ConstraintStore
  readonly validate?: (value: unknown) => void
  readonly deriveConstraint: (
    request: unknown,
    context: unknown,
    done?: (error: Error | null, value?: unknown) => void,
  ) => unknown
}

/** Whether a strategy calls back with its value. */
export function callsBack({ deriveConstraint }: { readonly deriveConstraint?: unknown }): boolean {
  return isFunction(deriveConstraint) && deriveConstraint.length === 3
}
