/** Random schemas of responses, in both dialects, and values for them. */
import { type Random, anyValue, randomSchema, valueFor } from '../../validator/random.ts'
import { isTree, listOf, mapSchemas, treeOf, type Tree } from './map-schemas.ts'

/** Schemas that each random schema can refer to. */
export const SHARED: readonly Tree[] = [
  { $id: 'small', type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } } },
  { $id: 'open', type: 'object', properties: { c: {} }, additionalProperties: true },
  {
    $id: 'tree',
    type: 'object',
    properties: { id: { type: 'integer' }, c: { type: 'array', items: { $ref: '#' } } },
  },
  {
    $id: 'either',
    anyOf: [
      { type: 'object', properties: { a: { type: 'string' } } },
      { type: 'object', properties: { b: { $ref: 'small#' } } },
    ],
  },
]
const OWN = ['plain', 'loop', 'union', 'nothing'].map((name) => `#/definitions/${name}`)
const REFERENCES = [...OWN, 'small#', 'open', 'tree#', 'either']
const NAMES = ['a', 'b', 'c', 'kind', 'id']
export const META_2020 = 'https://json-schema.org/draft/2020-12/schema'

/** A random schema of a response. */
export function drawSchema(random: Random): Tree {
  const drawn = decorated(random, randomSchema(random, random.below(3), REFERENCES), REFERENCES)
  const schema = isTree(drawn) ? drawn : { type: 'object', properties: { a: drawn } }
  const root = withUsed({ ...schema, definitions: definitions(random) })
  const whole = random.chance(0.45) ? in2020(random, root) : root
  return treeOf(mapSchemas(whole, comparable))
}

/** The schema without what Ajv and serializers read differently. */
function comparable(schema: Tree): Tree {
  const one: Record<string, unknown> = { ...schema }
  // In Ajv, an empty name is never missing, and an inherited one neither.
  if (Array.isArray(one['required']))
    one['required'] = one['required'].filter((name) => name !== '' && !(name in Object.prototype))
  // For serializers, `nullable` allows null whatever stands beside it, so that it is written.
  if (one['if'] !== undefined)
    one['if'] = mapSchemas(one['if'], (condition) => without(condition, 'nullable'))
  return one
}

function without(schema: Tree, keyword: string): Tree {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword))
}

function small(random: Random): Tree {
  const name = random.pick(NAMES)
  const value = random.pick([
    {},
    { type: 'string' },
    { type: 'integer' },
    { enum: ['cat', 1] },
    { type: ['integer', 'null'] },
    { type: 'string', format: 'date-time' },
    { type: 'object', properties: { b: { type: 'integer' } } },
  ])
  const required = random.chance(0.4) ? { required: [name] } : {}
  return { type: 'object', properties: { [name]: value }, ...required }
}

function definitions(random: Random): Tree {
  const union = { $ref: '#/definitions/union' }
  return {
    plain: decorated(random, randomSchema(random, 1), []),
    loop: {
      type: 'object',
      properties: {
        a: { $ref: '#/definitions/loop' },
        b: { type: 'integer' },
        c: decorated(random, randomSchema(random, 0), []),
      },
    },
    nothing: random.pick<Tree>([
      { type: 'object', nullable: true, properties: { a: {} } },
      { type: ['object', 'null'], properties: { b: { type: 'string' } }, required: ['b'] },
      { anyOf: [{ type: 'null' }, small(random)] },
      { oneOf: [small(random), { type: 'string', nullable: true }] },
    ]),
    union: {
      anyOf: [
        { type: 'object', properties: { a: union, id: { type: 'integer' } } },
        { type: 'object', properties: { a: union, kind: { type: 'string' } }, required: ['kind'] },
        small(random),
      ],
    },
  }
}

/** Adds what responses combine. */
function decorated(random: Random, schema: unknown, references: readonly string[]): unknown {
  return mapSchemas(schema, (one) => ({
    ...one,
    ...(random.chance(0.05) ? { allOf: [...listOf(one['allOf']), ...conditions(random)] } : {}),
    ...(random.chance(0.05) ? { [random.pick(['anyOf', 'oneOf'])]: union(random) } : {}),
    ...(random.chance(0.04) && references.length > 0 ? { $ref: random.pick(references) } : {}),
    ...(random.chance(0.03)
      ? { nullable: true, type: one['type'] ?? random.pick(['object', 'string', 'array']) }
      : {}),
    ...(random.chance(0.04)
      ? { patternProperties: { [random.pick(['^a', 'd$', '^[bc]', '.'])]: small(random) } }
      : {}),
    ...(random.chance(0.04) ? { additionalProperties: random.pick([small(random), true, false, {}]) } : {}),
    ...(random.chance(0.03) ? { dependencies: { [random.pick(NAMES)]: small(random) } } : {}),
  }))
}

function conditions(random: Random): Tree[] {
  return Array.from({ length: 1 + random.below(3) }, () => ({
    if: random.chance(0.5) ? small(random) : { required: [random.pick(NAMES)] },
    then: small(random),
    ...(random.chance(0.5) ? { else: small(random) } : {}),
  }))
}

function union(random: Random): Tree[] {
  const below = { anyOf: [small(random), { type: 'null' }, { type: 'array', items: small(random) }] }
  return [small(random), below, random.pick([{ type: 'string' }, small(random)])]
}

/** Keeps the definitions that are used. */
function withUsed({ definitions: all, ...root }: Tree): Tree {
  const used = new Map<string, unknown>()
  const texts = [JSON.stringify(root)]
  for (const text of texts) {
    for (const [name, schema] of Object.entries(treeOf(all))) {
      if (used.has(name) || !text.includes(`"#/definitions/${name}"`)) continue
      used.set(name, schema)
      texts.push(JSON.stringify(schema))
    }
  }
  return used.size === 0 ? root : { ...root, definitions: Object.fromEntries(used) }
}

/** The schema with tuples in the words of 2020-12. */
export function inLaterWords(schema: unknown): unknown {
  return mapSchemas(schema, ({ items, additionalItems, ...one }) => {
    if (!Array.isArray(items)) return items === undefined ? one : { ...one, items }
    return {
      ...one,
      prefixItems: items,
      ...(additionalItems === undefined ? {} : { items: additionalItems }),
    }
  })
}

/** The schema in the words of 2020-12, with some of its keywords. */
function in2020(random: Random, schema: Tree): Tree {
  const root = mapSchemas(inLaterWords(schema), ({ dependencies, ...one }) => ({
    ...one,
    ...(isTree(dependencies) ? dependenciesIn2020(random, dependencies) : {}),
    ...(random.chance(0.05)
      ? { unevaluatedProperties: random.pick([false, false, true, { type: 'integer' }, small(random)]) }
      : {}),
    ...(random.chance(0.03)
      ? { unevaluatedItems: random.pick([true, { type: 'integer' }, small(random)]) }
      : {}),
    ...(random.chance(0.03)
      ? { contains: random.pick([{ type: 'integer' }, small(random)]), minContains: random.below(2) }
      : {}),
    ...(isTree(one['properties']) && random.chance(0.1)
      ? {
          properties: {
            ...one['properties'],
            [random.pick(NAMES)]: { $dynamicRef: '#node', ...(random.chance(0.2) ? small(random) : {}) },
          },
        }
      : {}),
  }))
  return { $schema: META_2020, $dynamicAnchor: 'node', ...treeOf(root) }
}

function dependenciesIn2020(random: Random, dependencies: Tree): Tree {
  if (random.chance(0.2)) return { dependencies }
  const all = Object.entries(dependencies)
  return {
    dependentRequired: Object.fromEntries(all.filter(([, one]) => Array.isArray(one))),
    dependentSchemas: Object.fromEntries(all.filter(([, one]) => !Array.isArray(one))),
  }
}

/** A value that a schema is likely to accept. */
export function drawValue(random: Random, schema: Tree): unknown {
  if (random.chance(0.05)) return anyValue(random, 3)
  const guide = random.chance(0.6) ? treeOf(mapSchemas(schema, (one) => merged(random, one))) : schema
  const resolve = (ref: string): unknown => {
    const [id = '', fragment = ''] = ref.split('#', 2)
    let found: unknown = id === '' ? guide : SHARED.find(({ $id }) => $id === id)
    for (const key of fragment.startsWith('/') ? fragment.slice(1).split('/') : []) found = treeOf(found)[key]
    return found
  }
  return valueFor(random, guide, resolve)
}

/** The schema with its parts as one, from which whole objects are drawn. */
function merged(random: Random, schema: Tree): Tree {
  let one = schema
  for (const keyword of ['allOf', 'oneOf']) {
    const list = listOf(one[keyword])
    if (list.length === 0 || !list.every(isTree)) continue
    one = (keyword === 'oneOf' ? [random.pick(list)] : list).reduce(joined, without(one, keyword))
  }
  if (isTree(one['if']) && isTree(one['then']) && random.chance(0.5)) {
    const { if: test, then, ...rest } = one
    one = joined(joined(rest, treeOf(test)), treeOf(then))
  }
  if (!isTree(one['properties']) || one['$ref'] !== undefined || random.chance(0.1)) return one
  const names = Object.keys(one['properties']).filter(() => random.chance(0.5))
  return { ...one, type: one['type'] ?? 'object', required: [...listOf(one['required']), ...names] }
}

function joined(one: Tree, other: Tree): Tree {
  const properties = { ...treeOf(one['properties']), ...treeOf(other['properties']) }
  const definitions = { ...treeOf(other['definitions']), ...treeOf(one['definitions']) }
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(Object.keys(definitions).length > 0 ? { definitions } : {}),
  }
}
