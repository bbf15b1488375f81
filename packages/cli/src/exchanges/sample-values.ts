import { isObject, listOf, objectOf } from '../diff/json.ts'
import type { Json } from '../diff/json.ts'

export type FindSchema = (id: string) => unknown

/** A value with what is odd about it; empty for a valid one. */
export interface Sample {
  readonly odd: string
  readonly value: unknown
}

const DEEPEST = 6

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2020-01-02T03:04:05Z',
  'iso-date-time': '2020-01-02T03:04:05Z',
  date: '2020-01-02',
  time: '03:04:05Z',
  duration: 'P1D',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/a',
  url: 'https://example.com/a',
  'uri-reference': '/a',
  uuid: '11111111-1111-4111-8111-111111111111',
  'json-pointer': '/a',
}

const TEXTS = ['a', '1', 'abc', 'ABC', '12', 'a1', 'a-b', '2020-01-02', '12345', 'abcdefgh', '+1', '/a']

/** Generates samples of JSON Schemas, which are the same in each run. */
export class Samples {
  readonly #find: FindSchema

  constructor(find: FindSchema) {
    this.#find = find
  }

  /** Returns a value that matches the known keywords of a schema; `undefined` if none is found. */
  valid(given: unknown, root: unknown = given, depth = 0): unknown {
    const [schema, base] = this.#follow(given, root)
    for (const name of ['const', 'default', 'example']) if (schema[name] !== undefined) return schema[name]
    const listed = [...listOf(schema['enum']), ...listOf(schema['examples'])]
    if (listed.length > 0) return listed[0]
    const [branch] = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])]
    const parts = [...listOf(schema['allOf']), ...(branch === undefined ? [] : [branch])]
    const values = depth > DEEPEST ? [] : parts.map((part) => this.valid(part, base, depth + 1))
    const own = schema['type'] === undefined && values.length > 0 ? {} : this.#ofType(schema, base, depth)
    const last = values.at(-1)
    return values.length === 0
      ? own
      : isObject(last)
        ? Object.assign({}, own, ...values.filter(isObject))
        : last
  }

  /** Returns objects with one member that is invalid, at a limit, or missing. */
  odd(given: unknown): Sample[] {
    const [schema, root] = this.#follow(given, given)
    const whole = objectOf(this.valid(given))
    const required = listOf(schema['required'])
    const members = Object.entries(objectOf(schema['properties'])).flatMap(([name, inner]) => {
      const [property] = this.#follow(inner, root)
      return oddValues(property).map(({ odd, value }) => ({
        odd: `${name}: ${odd}`,
        value: { ...whole, [name]: value },
      }))
    })
    const missing = required.map((name) => ({
      odd: `without ${String(name)}`,
      value: Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name)),
    }))
    return [...missing, ...members, { odd: 'a member more', value: { ...whole, notDeclared: 'x' } }]
  }

  #ofType(schema: Json, root: unknown, depth: number): unknown {
    const [type = isObject(schema['properties']) ? 'object' : 'string'] = [schema['type']].flat()
    switch (type) {
      case 'object': {
        const members = depth > DEEPEST ? [] : Object.entries(objectOf(schema['properties']))
        const values = members.map(([name, inner]) => [name, this.valid(inner, root, depth + 1)] as const)
        return Object.fromEntries(values.filter(([, value]) => value !== undefined))
      }
      case 'array': {
        const count = Math.min(Math.max(Number(schema['minItems'] ?? 1), 1), 5)
        const item = depth > DEEPEST ? undefined : this.valid(schema['items'] ?? {}, root, depth + 1)
        return item === undefined ? [] : Array.from({ length: count }, () => item)
      }
      case 'integer':
      case 'number':
        return numberOf(schema)
      case 'boolean':
        return true
      case 'null':
        return null
      default:
        return textOf(schema)
    }
  }

  /** Follows `$ref` within a schema and to shared ones; returns the target, with the schema that contains it. */
  #follow(given: unknown, root: unknown): readonly [Json, unknown] {
    let [found, base] = [objectOf(given), root]
    for (let steps = 0; typeof found['$ref'] === 'string' && steps < 20; steps++) {
      const [id = '', fragment = ''] = found['$ref'].split('#', 2)
      base = id === '' ? base : this.#find(id)
      let target: unknown = base
      for (const key of fragment.split('/').slice(1)) target = objectOf(target)[decodeURIComponent(key)]
      found = objectOf(target)
    }
    return [found, base]
  }
}

function numberOf(schema: Json): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema
  const least = Number(minimum ?? (exclusiveMinimum === undefined ? -Infinity : Number(exclusiveMinimum) + 1))
  const most = Number(maximum ?? (exclusiveMaximum === undefined ? Infinity : Number(exclusiveMaximum) - 1))
  const wanted = Number(multipleOf ?? 1)
  return Math.min(Math.max(wanted, least), most)
}

function textOf(schema: Json): string | undefined {
  const { format, pattern, minLength, maxLength } = schema
  const candidates = [...(typeof format === 'string' ? [FORMATS[format] ?? 'a'] : []), ...TEXTS]
  const fitting = candidates.map((text) =>
    text.padEnd(Number(minLength ?? 0), 'a').slice(0, Number(maxLength ?? 200)),
  )
  if (typeof pattern !== 'string') return fitting[0]
  try {
    const expression = new RegExp(pattern, 'u')
    return fitting.find((text) => expression.test(text))
  } catch {
    return undefined
  }
}

function oddValues(schema: Json): Sample[] {
  const { type, format, minimum, maximum, minLength, maxLength } = schema
  const samples: Sample[] = []
  const add = (odd: string, value: unknown): void => void samples.push({ odd, value })
  if (format === 'date-time') add('without a time zone', '2020-01-02T03:04:05')
  if (type !== 'string') add('a word', 'not-of-this-type')
  if (isObject(schema['enum']) || format !== undefined) add('a word', 'not-of-this-format')
  if (typeof minimum === 'number') add('below the minimum', minimum - 1)
  if (typeof maximum === 'number') add('above the maximum', maximum + 1)
  if (typeof minLength === 'number' && minLength > 0) add('too short', 'a'.repeat(minLength - 1))
  if (typeof maxLength === 'number' && maxLength < 1000) add('too long', 'a'.repeat(maxLength + 1))
  if (type === 'integer') add('a fraction', 1.5)
  add('empty', '')
  return samples
}
