/** Random schemas and values for comparing validators; the same seed gives the same sequence. */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Schema = boolean | { [key: string]: Json }

/** A seeded source of random choices. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number from 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
}

const NAMES = ['a', 'b', 'c', 'kind', 'id', 'x-y', 'constructor', 'toString', '1', 'é', '']
const TEXTS = [
  '',
  'a',
  'abc',
  '5',
  '-1',
  '1.5',
  ' 7',
  '1e3',
  'true',
  'false',
  'null',
  '0',
  'Infinity',
  'a😀b',
  '😀😀',
  'x@y.zz',
  '2020-02-03',
  '2020-02-03T04:05:06Z',
  '2020-02-30T04:05:06Z',
  '127.0.0.1',
  'http://a.bc/d',
  '0x10',
  'cat',
  'dog',
]
const NUMBERS = [0, 1, -1, 2, 3, 5, 7, 10, 1.5, 0.1, -2.5, 1e21, 100]
const FORMATS = [
  'date',
  'date-time',
  'email',
  'uri',
  'ipv4',
  'uuid',
  'url',
  'int32',
  'double',
  'byte',
  'regex',
  'time',
  'password',
  'json-pointer',
]
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array']

/** A random schema of limited depth; `shared` are references that may be used. */
export function randomSchema(random: Random, depth: number, shared: readonly string[] = []): Schema {
  if (random.chance(0.03)) return random.chance(0.7)
  if (shared.length > 0 && random.chance(0.12)) {
    return random.chance(0.85)
      ? { $ref: random.pick(shared) }
      : { $ref: random.pick(shared), ...typed(random, 0, []) }
  }
  if (depth > 0 && random.chance(0.22)) return combined(random, depth, shared)
  return typed(random, depth, shared)
}

function typed(random: Random, depth: number, shared: readonly string[]): { [key: string]: Json } {
  const type = random.pick(depth > 0 ? [...TYPES, 'object', 'object', 'array'] : TYPES.slice(0, 5))
  const schema: { [key: string]: Json } = {}
  if (random.chance(0.12))
    schema['type'] = random.chance(0.5)
      ? [type, random.pick(TYPES.filter((name) => name !== type))]
      : [type, 'null'].slice(0, type === 'null' ? 1 : 2)
  else if (!random.chance(0.1)) schema['type'] = type
  if (schema['type'] !== undefined && random.chance(0.1)) schema['nullable'] = true
  if (type === 'string') stringKeywords(random, schema)
  if (type === 'number' || type === 'integer') numberKeywords(random, schema)
  if (type === 'object') objectKeywords(random, schema, depth, shared)
  if (type === 'array') arrayKeywords(random, schema, depth, shared)
  if (random.chance(0.06)) schema['enum'] = [...new Set([scalar(random), scalar(random), scalar(random)])]
  if (random.chance(0.03)) schema['const'] = scalar(random)
  if (random.chance(0.1)) schema['description'] = 'text'
  return schema
}

function stringKeywords(random: Random, schema: { [key: string]: Json }): void {
  if (random.chance(0.25)) schema['maxLength'] = random.below(6)
  if (random.chance(0.25)) schema['minLength'] = random.below(4)
  if (random.chance(0.15)) schema['pattern'] = random.pick(['^a', '\\d', '^.{2}$', 'b$', '^[a-z]*$'])
  if (random.chance(0.15)) schema['format'] = random.pick(FORMATS)
}

function numberKeywords(random: Random, schema: { [key: string]: Json }): void {
  if (random.chance(0.2)) schema['maximum'] = random.pick(NUMBERS)
  if (random.chance(0.2)) schema['minimum'] = random.pick(NUMBERS)
  if (random.chance(0.1)) schema['exclusiveMaximum'] = random.pick(NUMBERS)
  if (random.chance(0.1)) schema['exclusiveMinimum'] = random.pick(NUMBERS)
  if (random.chance(0.15)) schema['multipleOf'] = random.pick([1, 2, 0.5, 0.1, 3])
  if (random.chance(0.05)) schema['format'] = random.pick(FORMATS)
}

function objectKeywords(
  random: Random,
  schema: { [key: string]: Json },
  depth: number,
  shared: readonly string[],
): void {
  const names = NAMES.filter(() => random.chance(0.3))
  const properties: { [key: string]: Json } = {}
  for (const name of names) {
    const child = randomSchema(random, depth - 1, shared)
    if (typeof child === 'object' && random.chance(0.15)) child['default'] = anyValue(random, 1)
    properties[name] = child
  }
  if (!random.chance(0.1)) schema['properties'] = properties
  if (random.chance(0.4)) schema['required'] = [...names, 'zz'].filter(() => random.chance(0.3))
  if (random.chance(0.35))
    schema['additionalProperties'] = random.chance(0.7) ? false : randomSchema(random, depth - 1, shared)
  if (random.chance(0.05)) schema['minProperties'] = random.below(3)
  if (random.chance(0.05)) schema['maxProperties'] = random.below(5)
  if (random.chance(0.06))
    schema['patternProperties'] = {
      [random.pick(['^a', 'd$', '.'])]: randomSchema(random, depth - 1, shared),
    }
  if (random.chance(0.04))
    schema['propertyNames'] = random.pick<Schema>([
      { maxLength: 4 },
      { pattern: '^[a-z]' },
      true,
      { type: 'integer' },
    ])
  if (random.chance(0.05)) {
    schema['dependencies'] = {
      [random.pick(NAMES)]: random.chance(0.5)
        ? [random.pick(NAMES)]
        : randomSchema(random, depth - 1, shared),
    }
  }
}

function arrayKeywords(
  random: Random,
  schema: { [key: string]: Json },
  depth: number,
  shared: readonly string[],
): void {
  if (random.chance(0.75)) schema['items'] = randomSchema(random, depth - 1, shared)
  else if (random.chance(0.6)) {
    schema['items'] = [randomSchema(random, depth - 1, shared), randomSchema(random, depth - 1, shared)]
    if (random.chance(0.5))
      schema['additionalItems'] = random.chance(0.5) ? false : randomSchema(random, depth - 1, shared)
  }
  if (random.chance(0.15)) schema['maxItems'] = random.below(4)
  if (random.chance(0.15)) schema['minItems'] = random.below(3)
  if (random.chance(0.1)) schema['uniqueItems'] = true
  if (random.chance(0.06)) schema['contains'] = randomSchema(random, depth - 1, shared)
}

function combined(random: Random, depth: number, shared: readonly string[]): { [key: string]: Json } {
  const schema = random.chance(0.4) ? typed(random, depth - 1, shared) : {}
  const list = (): Json[] => Array.from({ length: 1 + random.below(3) }, () => branch(random, depth, shared))
  switch (random.below(5)) {
    case 0:
      schema['anyOf'] = list()
      break
    case 1:
      schema['oneOf'] = list()
      break
    case 2:
      schema['allOf'] = list()
      break
    case 3:
      schema['not'] = randomSchema(random, depth - 1, shared)
      break
    default:
      schema['if'] = branch(random, depth, shared)
      schema['then'] = branch(random, depth, shared)
      if (random.chance(0.5)) schema['else'] = branch(random, depth, shared)
  }
  return schema
}

function branch(random: Random, depth: number, shared: readonly string[]): Schema {
  if (random.chance(0.5)) return randomSchema(random, depth - 1, shared)
  return {
    type: 'object',
    properties: {
      kind: { const: random.pick(['cat', 'dog', 'a']) },
      ...(random.chance(0.6) ? { a: randomSchema(random, 0, shared) } : {}),
    },
    ...(random.chance(0.7) ? { required: ['kind'] } : {}),
  }
}

function scalar(random: Random): Json {
  return random.pick<() => Json>([
    () => random.pick(TEXTS),
    () => random.pick(NUMBERS),
    () => random.chance(0.5),
    () => null,
  ])()
}

/** Any JSON value of limited depth. */
export function anyValue(random: Random, depth: number): Json {
  if (depth === 0 || random.chance(0.5)) return scalar(random)
  if (random.chance(0.5)) return Array.from({ length: random.below(4) }, () => anyValue(random, depth - 1))
  return Object.fromEntries(
    NAMES.filter(() => random.chance(0.3)).map((name) => [name, anyValue(random, depth - 1)]),
  )
}

function isMap(value: unknown): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value that a schema is likely to accept, with a few mistakes in it. */
export function valueFor(
  random: Random,
  schema: unknown,
  resolve: (ref: string) => unknown,
  depth: number = 5,
): Json {
  if (!isMap(schema) || depth === 0 || random.chance(0.04)) return anyValue(random, 2)
  if (typeof schema['$ref'] === 'string') return valueFor(random, resolve(schema['$ref']), resolve, depth - 1)
  if (schema['const'] !== undefined && random.chance(0.9)) return schema['const']
  if (Array.isArray(schema['enum']) && random.chance(0.9)) return random.pick(schema['enum'])
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const list = schema[keyword]
    if (Array.isArray(list) && random.chance(0.8)) {
      const value = valueFor(random, random.pick(list), resolve, depth - 1)
      const own = valueFor(random, { ...schema, [keyword]: null }, resolve, depth - 1)
      return isMap(value) && isMap(own) && schema['type'] === 'object' ? { ...own, ...value } : value
    }
  }
  if (schema['if'] !== undefined && random.chance(0.8)) {
    return valueFor(random, random.chance(0.5) ? schema['if'] : schema['then'], resolve, depth - 1)
  }
  const { type } = schema
  const value = ofType(random, schema, Array.isArray(type) ? random.pick(type) : type, resolve, depth)
  if (random.chance(0.08) && typeof value !== 'string' && !isMap(value) && !Array.isArray(value))
    return String(value)
  return random.chance(0.04) ? [value] : value
}

function ofType(
  random: Random,
  schema: { [key: string]: Json },
  type: unknown,
  resolve: (ref: string) => unknown,
  depth: number,
): Json {
  switch (type) {
    case 'string':
      return random.pick(TEXTS)
    case 'integer':
      return random.pick(NUMBERS.filter(Number.isInteger))
    case 'number':
      return random.pick(NUMBERS)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'array':
      return arrayFor(random, schema, resolve, depth)
    case 'object':
      return objectFor(random, schema, resolve, depth)
    default:
      if (isMap(schema['properties'])) return objectFor(random, schema, resolve, depth)
      return schema['items'] === undefined ? anyValue(random, 1) : arrayFor(random, schema, resolve, depth)
  }
}

function arrayFor(
  random: Random,
  { items }: { [key: string]: Json },
  resolve: (ref: string) => unknown,
  depth: number,
): Json {
  const length = random.below(4)
  return Array.from({ length }, (_, index) =>
    valueFor(random, Array.isArray(items) ? items[index] : items, resolve, depth - 1),
  )
}

function objectFor(
  random: Random,
  schema: { [key: string]: Json },
  resolve: (ref: string) => unknown,
  depth: number,
): Json {
  const { properties, required } = schema
  const entries: [string, Json][] = []
  if (isMap(properties)) {
    for (const [name, child] of Object.entries(properties)) {
      const demanded = Array.isArray(required) && required.includes(name)
      if (random.chance(demanded ? 0.97 : 0.6))
        entries.push([name, valueFor(random, child, resolve, depth - 1)])
    }
  }
  if (Array.isArray(required) && required.includes('zz') && random.chance(0.9))
    entries.push(['zz', scalar(random)])
  if (random.chance(0.15)) entries.push([random.pick(NAMES), anyValue(random, 1)])
  if (random.chance(0.1)) entries.push(['extra', scalar(random)])
  return Object.fromEntries(entries)
}
