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
  readonly #own = new Set<string>()
  /** those that return their value, and those that call back */
  readonly #used = new Set<string>()
  readonly #usedLater = new Set<string>()
  /** increases with each added strategy; prepared values are then prepared again */
  epoch = 0

  /** @param own - strategies of the application, which may replace the built-in ones */
  constructor(own: Readonly<Record<string, unknown>> | null) {
    for (const strategy of Object.values(own ?? {})) this.add(strategy)
  }

  /** @throws an Error for an invalid strategy, and for a name that is taken or in use */
  add(given: unknown): void {
    if (!isStrategy(given)) throw new Error(problemOf(given))
    const { name } = given
    if (this.#own.has(name))
      throw new Error(`There already exists a custom constraint with the name ${name}.`)
    if (this.#isUsed(name)) throw new Error(`There already exists a route with ${name} constraint.`)
    this.#own.add(name)
    this.#strategies.set(name, given)
    this.epoch += 1
    if (given.mustMatchWhenDerived === true) this.use({ [name]: true })
  }

  /** Whether the application added this strategy, or some route uses it. */
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
    const strategy = this.#strategies.get(name)
    if (strategy === undefined) throw new Error(`No strategy registered for constraint key ${name}`)
    return strategy
  }

  /** The names of the strategies with `mustMatchWhenDerived`. */
  mustMatch(): string[] {
    return [...this.#strategies.values()]
      .filter(({ mustMatchWhenDerived }) => mustMatchWhenDerived === true)
      .map(({ name }) => name)
  }

  /** The values of a request from strategies that return them; `undefined` if no route has a constraint. */
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

function isStrategy(value: unknown): value is Strategy {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    value['name'] !== '' &&
    isFunction(value['storage']) &&
    isFunction(value['deriveConstraint'])
  )
}

function problemOf(given: unknown): string {
  const strategy = isRecord(given) ? given : {}
  if (typeof strategy['name'] !== 'string' || strategy['name'] === '') return 'strategy.name is required.'
  const missing = isFunction(strategy['storage']) ? 'deriveConstraint' : 'storage'
  return `strategy.${missing} function is required.`
}
