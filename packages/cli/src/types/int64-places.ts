import { childLocation } from '@cloister/schema'
import { isInt64, isSchemaObject } from '@cloister/schema/internal'
import type { SchemaLocation, SchemaScope } from '@cloister/schema'

/** The schemas that may apply to one value: those of unions, references and conditions together. */
interface State {
  readonly members: readonly SchemaLocation[]
  readonly properties: Map<string, State>
  others: State | null
  first: readonly State[]
  items: State | null
}

/** Where JSON has 64-bit integers, in the form of `IntegerPlace` of `@cloister/client/integers`. */
export interface WrittenPlace {
  readonly int64?: true
  readonly properties?: Readonly<Record<string, number | null>>
  readonly others?: number
  readonly first?: readonly (number | null)[]
  readonly items?: number
}

/** A body of a reply, or a message: its schemas, in the scope of its route. */
export interface Root {
  readonly route: string
  /** the status, or `outgoing` */
  readonly key: string
  readonly scope: SchemaScope
  readonly schemas: readonly unknown[]
}

/**
 * Finds the 64-bit integers that clients read. A client knows a value by its place alone, so an integer with the format is
 * read as a number where another schema of the same value admits numbers, as in another branch of a union.
 */
export class Int64Places {
  readonly #numbers = new Map<unknown, number>()
  readonly #states = new Map<string, State>()
  readonly #roots: readonly (readonly [root: Root, state: State])[]
  /** the integers that are read as numbers */
  readonly #asNumbers = new Set<string>()

  constructor(roots: readonly Root[]) {
    this.#roots = roots.map((root) => [
      root,
      this.#stateOf(
        root.schemas.map((schema) => root.scope.open(schema)),
        root.scope,
      ),
    ])
    this.#decide()
  }

  /** Whether clients read the integer of a schema as a bigint. */
  isBigint(at: SchemaLocation): boolean {
    return isExactType(at.schema) && !this.#asNumbers.has(this.#keyOf(at))
  }

  /** Returns the bodies that have integers with the format that clients read as numbers, with their pointers. */
  readAsNumbers(): { readonly root: Root; readonly pointers: readonly string[] }[] {
    return this.#roots.flatMap(([root, state]) => {
      const members = [...reachedFrom([state])].flatMap((one) => one.members)
      const pointers = members
        .filter((at) => this.#asNumbers.has(this.#keyOf(at)))
        .map(({ document, pointer }) => `${document.sharedId ?? ''}#${pointer}`)
      return pointers.length === 0 ? [] : [{ root, pointers: [...new Set(pointers)] }]
    })
  }

  /** Returns the table of a client; equal places are one. */
  table(): {
    readonly routes: ReadonlyMap<string, ReadonlyMap<string, number>>
    readonly places: WrittenPlace[]
  } {
    const alive = this.#alive()
    const classes = this.#classesOf(alive)
    const order: number[] = []
    const numberOf = (state: State): number => {
      const found = order.indexOf(classes.get(state) ?? -1)
      return found === -1 ? order.push(classes.get(state) ?? -1) - 1 : found
    }
    const routes = new Map<string, Map<string, number>>()
    for (const [{ route, key }, state] of this.#roots) {
      if (!alive.has(state)) continue
      const row = routes.get(route) ?? new Map<string, number>()
      routes.set(route, row.set(key, numberOf(state)))
    }
    const places: WrittenPlace[] = []
    const all = [...alive]
    for (let at = 0; at < order.length; at++) {
      const state = all.find((one) => classes.get(one) === order[at])
      if (state !== undefined)
        places.push(this.#write(state, (one) => (alive.has(one) ? numberOf(one) : null)))
    }
    return { routes, places }
  }

  /** States with 64-bit integers in their values. */
  #alive(): Set<State> {
    const alive = new Set([...this.#states.values()].filter((state) => this.#isInt64(state)))
    for (let size = -1; size !== alive.size;) {
      size = alive.size
      for (const state of this.#states.values())
        if (below(state).some((one) => alive.has(one))) alive.add(state)
    }
    return alive
  }

  /** Gives equal states one number (the minimal automaton, by refinement). */
  #classesOf(alive: ReadonlySet<State>): Map<State, number> {
    let classes = new Map([...alive].map((state) => [state, 0]))
    for (let count = 0; ;) {
      const texts = new Map<string, number>()
      const next = new Map<State, number>()
      for (const state of alive) {
        const text = JSON.stringify(this.#write(state, (one) => classes.get(one) ?? null))
        next.set(state, texts.get(text) ?? texts.size)
        if (!texts.has(text)) texts.set(text, texts.size)
      }
      if (texts.size === count) return next
      count = texts.size
      classes = next
    }
  }

  #write(state: State, numberOf: (state: State) => number | null): WrittenPlace {
    const others = state.others === null ? null : numberOf(state.others)
    const items = state.items === null ? null : numberOf(state.items)
    const properties = [...state.properties]
      .map(([name, one]): [string, number | null] => [name, numberOf(one)])
      .filter(([, number]) => number !== null || others !== null)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    const first = state.first.map(numberOf)
    const last = items === null ? first.findLastIndex((number) => number !== null) + 1 : first.length
    return {
      ...(this.#isInt64(state) ? { int64: true } : {}),
      ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
      ...(others === null ? {} : { others }),
      ...(last > 0 ? { first: first.slice(0, last) } : {}),
      ...(items === null ? {} : { items }),
    }
  }

  #isInt64({ members }: State): boolean {
    return members.some((at) => this.isBigint(at))
  }

  /** An integer that becomes a number may be the other number of another value. */
  #decide(): void {
    for (let size = -1; size !== this.#asNumbers.size;) {
      size = this.#asNumbers.size
      for (const { members } of this.#states.values()) {
        if (!members.some((at) => !this.isBigint(at) && admitsNumbers(at.schema))) continue
        for (const at of members) if (this.isBigint(at)) this.#asNumbers.add(this.#keyOf(at))
      }
    }
  }

  #keyOf({ document, pointer }: SchemaLocation): string {
    return `${this.#numberOf(document.root.schema)} ${pointer}`
  }

  #numberOf(value: unknown): number {
    const number = this.#numbers.get(value) ?? this.#numbers.size
    this.#numbers.set(value, number)
    return number
  }

  #stateOf(given: readonly SchemaLocation[], scope: SchemaScope): State {
    const members = [...allOf(given, scope, (at) => this.#keyOf(at))]
    const keys = members.map(([key]) => key).toSorted()
    const key = [this.#numberOf(scope), ...keys].join()
    const known = this.#states.get(key)
    if (known !== undefined) return known
    const state: State = {
      members: members.map(([, at]) => at),
      properties: new Map(),
      others: null,
      first: [],
      items: null,
    }
    this.#states.set(key, state)
    this.#addMembers(state, scope)
    this.#addItems(state, scope)
    return state
  }

  #addMembers(state: State, scope: SchemaScope): void {
    const names = new Set(state.members.flatMap((at) => Object.keys(objectAt(at, 'properties'))))
    const others = state.members.flatMap((at) => [
      ...patternsOf(at).values(),
      ...schemaAt(at, 'additionalProperties'),
    ])
    for (const name of names)
      state.properties.set(
        name,
        this.#stateOf(
          state.members.flatMap((at) => propertyOf(at, name)),
          scope,
        ),
      )
    if (others.length > 0) state.others = this.#stateOf(others, scope)
  }

  #addItems(state: State, scope: SchemaScope): void {
    const lists = state.members.map(itemsOf)
    const rests = lists.flatMap(({ rest }) => rest)
    const length = Math.max(0, ...lists.map(({ first }) => first.length))
    state.first = Array.from({ length }, (_, index) =>
      this.#stateOf(
        lists.flatMap(({ first, rest }) => first[index] ?? rest),
        scope,
      ),
    )
    if (rests.length > 0) state.items = this.#stateOf(rests, scope)
  }
}

function below({ properties, others, first, items }: State): State[] {
  return [...properties.values(), others, ...first, items].filter((one) => one !== null)
}

function reachedFrom(states: readonly State[]): Set<State> {
  const reached = new Set(states)
  for (const state of reached) for (const one of below(state)) reached.add(one)
  return reached
}

/** Adds the schemas of the same values: targets of references, members, branches. */
function allOf(
  given: readonly SchemaLocation[],
  scope: SchemaScope,
  keyOf: (at: SchemaLocation) => string,
): Map<string, SchemaLocation> {
  const found = new Map<string, SchemaLocation>()
  const waiting = [...given]
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    if (found.has(keyOf(at))) continue
    found.set(keyOf(at), at)
    const { schema } = at
    if (!isSchemaObject(schema)) continue
    const target = typeof schema['$ref'] === 'string' ? scope.resolve(at, schema['$ref']) : undefined
    if (target !== undefined) waiting.push(target)
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) waiting.push(...listAt(at, keyword))
    for (const keyword of ['then', 'else']) waiting.push(...schemaAt(at, keyword))
  }
  return found
}

function objectAt(at: SchemaLocation, keyword: string): Record<string, unknown> {
  const value = isSchemaObject(at.schema) ? at.schema[keyword] : undefined
  return isSchemaObject(value) ? value : {}
}

function listAt(at: SchemaLocation, keyword: string): SchemaLocation[] {
  const value = isSchemaObject(at.schema) ? at.schema[keyword] : undefined
  return Array.isArray(value) ? value.map((_one, index) => childLocation(at, [keyword, index])) : []
}

function schemaAt(at: SchemaLocation, keyword: string): SchemaLocation[] {
  const value = isSchemaObject(at.schema) ? at.schema[keyword] : undefined
  return isSchemaObject(value) ? [childLocation(at, [keyword])] : []
}

function patternsOf(at: SchemaLocation): Map<string, SchemaLocation> {
  const patterns = Object.keys(objectAt(at, 'patternProperties'))
  return new Map(patterns.map((pattern) => [pattern, childLocation(at, ['patternProperties', pattern])]))
}

function propertyOf(at: SchemaLocation, name: string): SchemaLocation[] {
  const own = Object.hasOwn(objectAt(at, 'properties'), name) ? [childLocation(at, ['properties', name])] : []
  const matching = [...patternsOf(at)].filter(([pattern]) => new RegExp(pattern, 'u').test(name))
  const found = [...own, ...matching.map(([, one]) => one)]
  return found.length > 0 ? found : schemaAt(at, 'additionalProperties')
}

/** Draft-07 has the first items as `items`, 2020-12 as `prefixItems`. */
function itemsOf(at: SchemaLocation): { readonly first: SchemaLocation[]; readonly rest: SchemaLocation[] } {
  const items = listAt(at, 'items')
  return items.length > 0
    ? { first: items, rest: schemaAt(at, 'additionalItems') }
    : { first: listAt(at, 'prefixItems'), rest: schemaAt(at, 'items') }
}

function isExactType(schema: unknown): boolean {
  return isSchemaObject(schema) && isInt64(schema) && ![schema['type']].flat().includes('number')
}

/** Whether the type of a schema has numbers. */
function admitsNumbers(schema: unknown): boolean {
  if (!isSchemaObject(schema)) return false
  const types = [schema['type']].flat()
  const values = [schema['const'], schema['enum']].flat()
  return (
    types.includes('number') || types.includes('integer') || values.some((value) => typeof value === 'number')
  )
}
