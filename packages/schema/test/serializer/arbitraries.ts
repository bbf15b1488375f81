/** Random schemas, each with values that fit it. */
import fc from 'fast-check'

/** A schema and a maker of values that it accepts. */
export interface Sample {
  readonly schema: Record<string, unknown>
  readonly value: fc.Arbitrary<unknown>
}

const HOSTILE_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'toJSON_',
  'length',
  'a"b',
  'back\\slash',
  'line\u2028break',
  "it's",
  '${x}',
  '',
  '0',
  'ünï',
  '\ud800',
  'a/b~c',
]

const ordinaryName = fc.constantFrom('id', 'name', 'tags', 'kind', 'size', 'owner', 'child', 'note')
const hostileName = fc.constantFrom(...HOSTILE_NAMES)
const anyName = fc.oneof({ weight: 3, arbitrary: ordinaryName }, { weight: 1, arbitrary: hostileName })

/** Which property names are made. */
export type Names = 'any' | 'ordinary'

const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('', '"', '\\', '\u2028', '\ud800', 'x'.repeat(50), `${'y'.repeat(50)}"`),
)
const fraction = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -100_000, max: 100_000 }).map((cents) => cents / 100),
)

const scalars: readonly Sample[] = [
  { schema: { type: 'string' }, value: text },
  { schema: { type: 'integer' }, value: fc.maxSafeInteger() },
  { schema: { type: 'number' }, value: fraction },
  { schema: { type: 'boolean' }, value: fc.boolean() },
  { schema: { type: 'null' }, value: fc.constant(null) },
  { schema: { const: 'fixed "text"' }, value: fc.constant('fixed "text"') },
  { schema: { enum: ['a', 1, null] }, value: fc.constantFrom('a', 1, null) },
  { schema: { type: 'string', nullable: true }, value: fc.option(text) },
  { schema: { type: ['integer', 'null'] }, value: fc.option(fc.integer()) },
  { schema: { type: ['string', 'number'] }, value: fc.oneof(text, fraction) },
  { schema: {}, value: fc.jsonValue() },
]

/** A random schema of limited depth with its values. */
export function sample(depth: number = 3, names: Names = 'any'): fc.Arbitrary<Sample> {
  const leaf = fc.constantFrom(...scalars)
  if (depth <= 0) return leaf
  return fc.oneof(
    { weight: 2, arbitrary: leaf },
    { weight: 4, arbitrary: objectSample(depth, names) },
    { weight: 2, arbitrary: arraySample(depth, names) },
    { weight: 2, arbitrary: unionSample(depth, names) },
  )
}

interface Property {
  readonly name: string
  readonly sample: Sample
  readonly isRequired: boolean
}

function properties(depth: number, names: Names): fc.Arbitrary<Property[]> {
  const property = fc.record({
    name: names === 'any' ? anyName : ordinaryName,
    sample: sample(depth - 1, names),
    isRequired: fc.boolean(),
  })
  return fc.uniqueArray(property, { selector: ({ name }) => name, maxLength: 6 })
}

/** `properties` as JSON gives it: `__proto__` is a property like any other. */
function schemaOfProperties(list: readonly Property[]): Record<string, unknown> {
  return Object.fromEntries(list.map(({ name, sample: inner }) => [name, inner.schema]))
}

function valueOfProperties(
  list: readonly Property[],
  others: fc.Arbitrary<[string, unknown][]>,
): fc.Arbitrary<unknown> {
  const declared = list.map(({ name, sample: inner, isRequired }) =>
    (isRequired ? inner.value : fc.option(inner.value, { nil: undefined })).map(
      (value) => [name, value] as const,
    ),
  )
  return fc
    .tuple(others, ...declared)
    .map(([extra, ...entries]) =>
      Object.fromEntries([...extra, ...entries].filter(([, value]) => value !== undefined)),
    )
}

/** No name of a declared property. */
const UNDECLARED = 'undeclared name'

function objectSample(depth: number, names: Names): fc.Arbitrary<Sample> {
  return fc
    .record({
      list: properties(depth, names),
      other: fc.option(sample(depth - 1, names)),
      openness: fc.constantFrom('absent', 'false', 'true', 'schema', 'pattern'),
      hasUndeclared: fc.boolean(),
    })
    .map(({ list, other, openness, hasUndeclared }): Sample => {
      const inner = other ?? { schema: {}, value: fc.jsonValue() }
      const declared = new Set(list.map(({ name }) => name))
      const free = fc
        .string({ minLength: 1, maxLength: 8 })
        .map((name) => `x_${name}`)
        .filter((name) => !declared.has(name))
      const isTyped = openness === 'schema' || openness === 'pattern'
      const others = fc.array(fc.tuple(free, isTyped ? inner.value : fc.jsonValue()), { maxLength: 3 })
      const required = list.filter(({ isRequired }) => isRequired).map(({ name }) => name)
      const schema: Record<string, unknown> = { type: 'object', properties: schemaOfProperties(list) }
      if (required.length > 0) schema['required'] = required
      if (openness === 'false') schema['additionalProperties'] = false
      if (openness === 'true') schema['additionalProperties'] = true
      if (openness === 'schema') schema['additionalProperties'] = inner.schema
      if (openness === 'pattern') schema['patternProperties'] = { '^x_': inner.schema }
      if (openness === 'false') return { schema, value: valueOfProperties(list, fc.constant([])) }
      if (!hasUndeclared || isTyped) return { schema, value: valueOfProperties(list, others) }
      // A name that only `required` has.
      schema['required'] = [...required, UNDECLARED]
      const undeclared = fc.jsonValue().map((value): [string, unknown] => [UNDECLARED, value])
      const all = fc.tuple(undeclared, others).map(([one, more]) => [one, ...more])
      return { schema, value: valueOfProperties(list, all) }
    })
}

function arraySample(depth: number, names: Names): fc.Arbitrary<Sample> {
  const list = sample(depth - 1, names).map((item): Sample => ({
    schema: { type: 'array', items: item.schema },
    value: fc.array(item.value, { maxLength: 5 }),
  }))
  const tuple = fc.array(sample(depth - 1, names), { minLength: 1, maxLength: 3 }).map((items): Sample => ({
    schema: { type: 'array', items: items.map((item) => item.schema), additionalItems: { type: 'integer' } },
    value: fc
      .tuple(fc.tuple(...items.map((item) => item.value)), fc.array(fc.integer(), { maxLength: 2 }))
      .map(([head, tail]) => [...head, ...tail]),
  }))
  return fc.oneof(list, tuple)
}

/** Unions of which exactly one branch accepts a value: by a constant, or by type. */
function unionSample(depth: number, names: Names): fc.Arbitrary<Sample> {
  const tagged = fc
    .array(properties(depth - 1, names), { minLength: 2, maxLength: 3 })
    .map((branches): Sample => {
      const samples = branches.map((list, index) => {
        const tag: Property = {
          name: 'tag',
          sample: { schema: { const: `tag${index}` }, value: fc.constant(`tag${index}`) },
          isRequired: true,
        }
        const all = [tag, ...list]
        const required = all.filter(({ isRequired }) => isRequired).map(({ name }) => name)
        return {
          schema: { type: 'object', required, properties: schemaOfProperties(all) },
          value: valueOfProperties(all, fc.constant([])),
        }
      })
      return {
        schema: { oneOf: samples.map(({ schema }) => schema) },
        value: fc.oneof(...samples.map(({ value }) => value)),
      }
    })
  const typed = fc
    .tuple(objectSample(depth, names), arraySample(depth, names))
    .map(([object, array]): Sample => ({
      schema: {
        anyOf: [{ type: 'string' }, { type: 'null' }, object.schema, array.schema, { type: 'integer' }],
      },
      value: fc.oneof(text, fc.constant(null), fc.integer(), object.value, array.value),
    }))
  const merged = fc
    .tuple(properties(depth - 1, names), properties(depth - 1, names))
    .map(([left, right]): Sample => {
      const known = new Set(left.map(({ name }) => name))
      const rest = right.filter(({ name }) => !known.has(name))
      const partOf = (list: readonly Property[]): Record<string, unknown> => ({
        type: 'object',
        properties: schemaOfProperties(list),
        required: list.filter(({ isRequired }) => isRequired).map(({ name }) => name),
      })
      return {
        schema: { allOf: [partOf(left), partOf(rest)] },
        value: valueOfProperties([...left, ...rest], fc.constant([])),
      }
    })
  return fc.oneof(tagged, typed, merged)
}

/** The length of a run; `CLOISTER_RUNS=20` makes every run twenty times as long. */
export function runs(count: number): number {
  return count * Number(process.env['CLOISTER_RUNS'] ?? 1)
}
