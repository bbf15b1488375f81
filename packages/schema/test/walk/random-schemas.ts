import { anyValue, randomSchema, valueFor, type Random } from '../validator/random.ts'

/** Schemas with what makes errors differ: references of every kind, lists of types with null, tuples, objects as constants. */

/** A schema as an object. */
export type Tree = Record<string, unknown>

const TARGETS = ['plain', 'lone', 'chain', 'loop', 'union', 'wrapped', 'toRoot', 'toShared']

/** References into the definitions of {@link randomRoot} and to the shared schemas. */
const REFERENCES: readonly string[] = [
  ...TARGETS.map((name) => `#/definitions/${name}`),
  '#',
  'small#',
  'small',
  'tree#',
  'big#/properties/a',
  'big#/properties/b',
  'big#named',
  'hop',
  'hop#/definitions/again',
  'hop#/definitions/away',
]

/** References into a schema with names of its own. */
const NAMED_REFERENCES: readonly string[] = [
  ...REFERENCES,
  '#anchor',
  'inner',
  '#/definitions/toAnchor',
  '#/definitions/nested',
]

/** Schemas that every random schema can refer to. */
export function sharedSchemas(random: Random): Tree[] {
  return [
    {
      $id: 'small',
      type: 'object',
      properties: { a: { type: 'integer', default: 3 }, b: { type: 'string', maxLength: 3, default: 'x' } },
      required: ['a'],
    },
    {
      $id: 'tree',
      type: 'object',
      properties: {
        id: { type: 'integer' },
        c: { type: 'array', items: { $ref: '#' } },
        a: { anyOf: [{ $ref: '#' }, { type: ['string', 'boolean'], nullable: true }] },
      },
      additionalProperties: false,
    },
    {
      $id: 'big',
      type: 'object',
      properties: {
        a: { type: ['integer', 'null'] },
        b: { $ref: 'small#' },
        c: { $ref: '#named' },
        kind: { enum: ['cat', 'dog'] },
        ...Object.fromEntries(
          Array.from({ length: 10 }, (_, index) => [`p${index}`, randomSchema(random, 0)]),
        ),
      },
      additionalProperties: false,
      definitions: {
        named: {
          $id: '#named',
          type: 'object',
          properties: { id: { type: 'number' }, b: { $ref: '#named' } },
        },
      },
    },
    {
      $id: 'hop',
      $ref: 'small#',
      definitions: { again: { $ref: 'hop' }, away: { $ref: 'small' } },
    },
  ]
}

/** A random schema with definitions that it may refer to. */
export function randomRoot(random: Random): unknown {
  // A schema with names of its own takes Ajv long.
  const isNamed = random.chance(0.2)
  const part = (depth: number): unknown =>
    decorated(random, randomSchema(random, depth, isNamed ? NAMED_REFERENCES : REFERENCES))
  const schema = part(3)
  if (!isTree(schema)) return schema
  const definitions: Tree = {
    plain: decorated(random, randomSchema(random, 1)),
    lone: { $ref: '#/definitions/plain' },
    chain: { $ref: '#/definitions/lone' },
    loop: {
      type: 'object',
      properties: { a: { $ref: '#/definitions/loop' }, b: { type: 'integer' }, c: part(0) },
    },
    union: {
      anyOf: [
        { type: 'object', properties: { a: { $ref: '#/definitions/union' }, id: { type: 'integer' } } },
        {
          type: 'object',
          properties: { a: { $ref: '#/definitions/union' }, id: { type: 'string' } },
          required: ['b'],
        },
        part(1),
      ],
    },
    wrapped: { properties: { b: { $ref: '#/definitions/plain' } }, allOf: [{ $ref: '#/definitions/lone' }] },
    name: { type: 'string', anyOf: [{ maxLength: 1 }, { $ref: '#/definitions/longName' }] },
    longName: { minLength: 3 },
    toRoot: { $ref: '#' },
    toShared: { $ref: 'small' },
  }
  if (isNamed) {
    definitions['toAnchor'] = { $ref: '#anchor' }
    definitions['nested'] = { $id: 'inner', $ref: '#/definitions/below', definitions: { below: part(0) } }
    definitions['anchored'] = { $anchor: 'anchor', ...object(randomSchema(random, 0)) }
  }
  return { ...schema, definitions }
}

/** A random value that suits a schema more or less. */
export function randomValue(random: Random, schema: unknown, shared: readonly Tree[]): unknown {
  const resolve = (ref: string): unknown => {
    const [id = '', fragment = ''] = ref.split('#', 2)
    let found: unknown = id === '' ? schema : (shared.find(({ $id }) => $id === id) ?? schema)
    for (const key of fragment.startsWith('/') ? fragment.slice(1).split('/') : []) {
      found = isTree(found) ? found[key] : undefined
    }
    return found
  }
  return valueFor(random, schema, resolve)
}

/** Changes a schema here and there. */
function decorated(random: Random, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((entry) => decorated(random, entry))
  if (!isTree(schema)) return schema
  const copy: Tree = {}
  for (const [key, value] of Object.entries(schema)) {
    copy[key] = ['enum', 'const', 'default', 'required', 'type'].includes(key)
      ? value
      : decorated(random, value)
  }
  for (const change of CHANGES) if (random.chance(0.06)) change(random, copy)
  return copy
}

const CHANGES: readonly ((random: Random, schema: Tree) => void)[] = [
  (random, schema) => {
    if (Array.isArray(schema['enum'])) schema['enum'] = [...objects(random), ...schema['enum']]
  },
  (random, schema) => {
    if (schema['type'] === 'object') schema['const'] = objects(random)[0]
  },
  (random, schema) => {
    if (Array.isArray(schema['items'])) {
      const first: unknown = schema['items'][0]
      schema['items'] = [{ ...object(first), default: anyValue(random, 1) }, ...schema['items'].slice(1)]
      schema['contains'] = { type: 'integer' }
    }
  },
  (random, schema) => {
    if (schema['type'] === 'array') schema['contains'] = { enum: ['a', 1, '5'] }
    if (random.chance(0.5)) schema['uniqueItems'] = true
  },
  (_random, schema) => {
    if (typeof schema['type'] === 'string' && schema['type'] !== 'null') {
      schema['type'] = [schema['type'], schema['type'] === 'string' ? 'number' : 'string']
      schema['nullable'] = true
    }
  },
  (random, schema) => {
    if (schema['type'] === 'object') {
      schema['propertyNames'] = random.pick([
        { anyOf: [{ maxLength: 2 }, { pattern: 'n' }] },
        { enum: ['a', 'b', 'kind'] },
        { $ref: '#/definitions/name' },
      ])
    }
  },
  (random, schema) => {
    if (schema['type'] === 'object')
      schema['required'] = ['', 'a', 'toString'].filter(() => random.chance(0.5))
  },
  (random, schema) => {
    if (schema['type'] === 'object') {
      schema['dependencies'] = {
        a: ['b', '', 'c'].filter(() => random.chance(0.7)),
        kind: { required: ['id'] },
        toString: [random.pick(['a', 'b'])],
      }
    }
  },
  (random, schema) => {
    schema['if'] = { $ref: random.pick(REFERENCES) }
    schema['then'] = { $ref: random.pick(REFERENCES) }
    if (random.chance(0.5)) schema['else'] = { $ref: random.pick(REFERENCES) }
  },
]

function objects(random: Random): unknown[] {
  const plain = [
    { a: 1 },
    { a: 1, b: [2, { c: null }] },
    { b: [] },
    {},
    ['a'],
    [],
    { id: 'x' },
    { kind: 'cat' },
  ]
  return plain.slice(random.below(3), 3 + random.below(6))
}

function object(value: unknown): Tree {
  return isTree(value) ? value : {}
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
