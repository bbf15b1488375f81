import { isFunction, isRecord } from '../guards.ts'
import { callsBack, hostStrategy, versionStrategy, type Strategy } from './strategies.ts'

/** Values of constraints by strategy name: those of a route, or those of a request. */
export type ConstraintValues = Readonly<Record<string, unknown>>

/** The strategies of one router, and which of them some route uses. */
export class ConstraintTable {
  readonly #strategies = new Map<string, Strategy>([
    ['version', versionStrategy],
    ['host', hostStrategy],
  ])
  /** strategies of the application, which may replace the built-in ones */
  readonly #own = new Set<string>()
  /** derived at once, and those that call back */
  readonly #used = new Set<string>()
  readonly #usedLater = new Set<string>()
  /** grows with each strategy that is added; what was prepared before must be prepared again */
  epoch = 0

  /** @throws an Error for what is no strategy, and for a name that is taken or in use */
  add(given: unknown): void {
    checkStrategy(given)
    const { name } = given
    if (this.#own.has(name))
      throw new Error(`There already exists a custom constraint with the name ${name}.`)
    if (this.#isUsed(name)) throw new Error(`There already exists a route with ${name} constraint.`)
    this.#own.add(name)
    this.#strategies.set(name, given)
    this.epoch += 1
    if (given.mustMatchWhenDerived === true) this.use({ [name]: true })
  }

  /** Whether the application brought this strategy, or some route uses it. */
  has(name: string): boolean {
    return this.#own.has(name) || this.#isUsed(name)
  }

  #isUsed(name: string): boolean {
    return this.#used.has(name) || this.#usedLater.has(name)
  }

  /** Whether some value in use calls back, so that `deriveLater` must come before a request is routed. */
  get derivesLater(): boolean {
    return this.#usedLater.size > 0
  }

  /** @throws an Error for a constraint without strategy, and what the strategy throws of its value */
  check(values: ConstraintValues): void {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) {
        throw new Error("Can't pass an undefined constraint value, must pass null or no key at all")
      }
      this.strategy(name).validate?.(value)
    }
  }

  /** From now on requests are asked for these values. */
  use(values: ConstraintValues): void {
    for (const name of Object.keys(values)) {
      const used = callsBack(this.strategy(name)) ? this.#usedLater : this.#used
      used.add(name)
    }
  }

  /** @throws an Error when there is none of this name */
  strategy(name: string): Strategy {
    const strategy = this.#strategies.get(name)
    if (strategy === undefined) throw new Error(`No strategy registered for constraint key ${name}`)
    return strategy
  }

  /** The names of the strategies whose values only match routes that are constrained by them. */
  mustMatch(): string[] {
    return [...this.#strategies.values()]
      .filter(({ mustMatchWhenDerived }) => mustMatchWhenDerived === true)
      .map(({ name }) => name)
  }

  /** The values of a request that are there at once; `undefined` when no route is constrained by any. */
  derive(request: unknown, context: unknown): Record<string, unknown> | undefined {
    if (this.#used.size === 0) return undefined
    const values: Record<string, unknown> = {}
    for (const name of this.#used) values[name] = this.strategy(name).deriveConstraint(request, context)
    return values
  }

  /** Derives all values of a request; the first error ends it. */
  deriveLater(
    request: unknown,
    context: unknown,
    done: (error: unknown, values?: ConstraintValues) => void,
  ): void {
    const values = this.derive(request, context) ?? {}
    let missing = this.#usedLater.size
    let hasFailed = false
    if (missing === 0) done(null, values)
    for (const name of this.#usedLater) {
      this.strategy(name).deriveConstraint(request, context, (error, value) => {
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
  const { name, storage, deriveConstraint } = isRecord(given) ? given : {}
  if (typeof name !== 'string' || name === '') throw new Error('strategy.name is required.')
  if (!isFunction(storage)) throw new Error('strategy.storage function is required.')
  if (!isFunction(deriveConstraint)) throw new Error('strategy.deriveConstraint function is required.')
}
