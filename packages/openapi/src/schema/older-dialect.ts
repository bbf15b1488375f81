import { isRecord } from '../guards.ts'
import type { OpenApiDocument } from '../types.ts'

/*
 * Version 3.0 has its own dialect, which lacks several keywords of 2020-12. Those that other keywords can express
 * are rewritten here; the rest is omitted, so that the document allows more than the app does. The library that
 * converts the document handles `const`, `null` beside one type, examples, and references with siblings.
 */

type Schema = Record<string, unknown>

/** Rewrites all schemas of a document. */
export function inOlderDialect(document: OpenApiDocument): OpenApiDocument {
  const { components, paths } = document
  if (components === undefined) return { ...document, paths: mapValues(paths, rewriteItem) }
  const { schemas, ...others } = components
  return {
    ...document,
    paths: mapValues(paths, rewriteItem),
    components: {
      ...mapValues(others, rewritePart),
      ...(schemas === undefined ? {} : { schemas: mapValues(schemas, rewriteSchema) }),
    },
  }
}

function rewriteItem(item: Schema): Schema {
  return mapValues(item, rewritePart)
}

/** Values that are data, whatever keys they have. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum'])

/** Rewrites the schemas in a part of the document that is not itself a schema: each is under a key `schema`. */
function rewritePart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(rewritePart)
  if (!isRecord(part)) return part
  const entries = Object.entries(part).map(([key, value]): [string, unknown] => {
    if (DATA.has(key)) return [key, value]
    return [key, key === 'schema' ? rewriteSchema(value) : rewritePart(value)]
  })
  return Object.fromEntries(entries)
}

function rewriteSchema(schema: unknown): Schema {
  if (!isRecord(schema)) return schema === false ? { not: {} } : {}
  const draft: Schema = {}
  const also: Schema[] = []
  for (const [key, value] of Object.entries(schema)) {
    const rewrite = KEYWORDS[key]
    if (rewrite === undefined) draft[key] = value
    else rewrite({ schema, key, value, draft, also })
  }
  if (draft['type'] === 'array') draft['items'] ??= {}
  if (also.length > 0) draft['allOf'] = [...listOf(draft['allOf']), ...also]
  return draft
}

interface Rewrite {
  readonly schema: Readonly<Record<string, unknown>>
  readonly key: string
  readonly value: unknown
  readonly draft: Schema
  readonly also: Schema[]
}

const one = ({ key, value, draft }: Rewrite): void => {
  draft[key] = rewriteSchema(value)
}
const list = ({ key, value, draft }: Rewrite): void => {
  draft[key] = listOf(value).map(rewriteSchema)
}
const drop = (): void => {}
const limit =
  (plain: string, stricter: (a: number, b: number) => number) =>
  ({ schema, key, value, draft }: Rewrite): void => {
    const beside = schema[plain]
    if (typeof value !== 'number') return
    const isStricter = typeof beside !== 'number' || stricter(value, beside) === value
    draft[plain] = isStricter ? value : beside
    if (isStricter) draft[key] = true
  }
const unlessExclusive =
  (exclusive: string) =>
  ({ key, value, draft }: Rewrite): void => {
    if (draft[exclusive] !== true) draft[key] = value
  }

const KEYWORDS: Readonly<Record<string, (rewrite: Rewrite) => void>> = {
  allOf: list,
  anyOf: list,
  oneOf: list,
  not: one,
  properties: ({ key, value, draft }) => {
    draft[key] = mapValues(isRecord(value) ? value : {}, rewriteSchema)
  },
  additionalProperties: (rewrite) => {
    if (typeof rewrite.value === 'boolean') rewrite.draft['additionalProperties'] = rewrite.value
    else one(rewrite)
  },
  items: (rewrite) => {
    if (rewrite.schema['prefixItems'] === undefined) one(rewrite)
  },
  prefixItems: ({ schema, value, draft }) => {
    const first = listOf(value)
    const isClosed = schema['items'] === false
    const rest = isClosed ? [] : [rewriteSchema(schema['items'])]
    draft['items'] = { anyOf: [...first.map(rewriteSchema), ...rest] }
    if (isClosed) draft['maxItems'] = Math.min(first.length, numberOr(draft['maxItems'], Infinity))
  },
  maxItems: ({ value, draft }) => {
    draft['maxItems'] = Math.min(numberOr(draft['maxItems'], Infinity), numberOr(value, Infinity))
  },
  type: ({ value, draft, also }) => {
    const types = listOf(value).filter((type) => type !== 'null')
    if (value === 'null') Object.assign(draft, { nullable: true, enum: [null] })
    else if (types.length < 2) draft['type'] = value
    else {
      const nullable = listOf(value).includes('null') ? { nullable: true } : {}
      also.push({
        anyOf: types.map((type) => ({ type, ...nullable, ...(type === 'array' ? { items: {} } : {}) })),
      })
    }
  },
  minimum: unlessExclusive('exclusiveMinimum'),
  maximum: unlessExclusive('exclusiveMaximum'),
  exclusiveMinimum: limit('minimum', Math.max),
  exclusiveMaximum: limit('maximum', Math.min),
  dependentRequired: ({ value, also }) => {
    for (const [name, names] of Object.entries(isRecord(value) ? value : {})) {
      also.push({ anyOf: [absent(name), { required: names }] })
    }
  },
  dependentSchemas: ({ value, also }) => {
    for (const [name, schema] of Object.entries(isRecord(value) ? value : {})) {
      also.push({ anyOf: [absent(name), rewriteSchema(schema)] })
    }
  },
  if: ({ schema, value, also }) => {
    const condition = rewriteSchema(value)
    if (schema['then'] !== undefined)
      also.push({ anyOf: [{ not: condition }, rewriteSchema(schema['then'])] })
    if (schema['else'] !== undefined) also.push({ anyOf: [condition, rewriteSchema(schema['else'])] })
  },
  then: drop,
  else: drop,
  contains: drop,
  minContains: drop,
  maxContains: drop,
  unevaluatedItems: drop,
  contentSchema: drop,
}

function absent(name: string): Schema {
  return { not: { required: [name] } }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

function mapValues<Value, Result>(
  map: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))
}
