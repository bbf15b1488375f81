import { isRecord, mapValues } from '../guards.ts'
import type { OpenApiDocument } from '../types.ts'

/*
 * Version 3.0 has its own dialect, which lacks several keywords of 2020-12. Those that other keywords can express
 * are rewritten here; the rest is omitted, so that the document allows more than the app does. `nullable` has a
 * meaning beside `type` only (OpenAPI Specification 3.0.3, section 4.7.24.1), so it never stands alone.
 */

type Schema = Record<string, unknown>

/** Returns a document of version 3.1 in version 3.0. Omits webhooks, which 3.0 does not have. */
export function inOlderVersion(given: OpenApiDocument): OpenApiDocument {
  const { webhooks: _webhooks, jsonSchemaDialect: _dialect, ...rest } = given
  const { summary: _summary, ...info } = rest.info
  return inOlderDialect({ ...rest, openapi: '3.0.3', info: { ...info, ...licenseOf(rest.info['license']) } })
}

/** A license has a name and a URL; version 3.1 added the identifier. */
function licenseOf(license: unknown): object {
  if (!isRecord(license)) return {}
  const { identifier: _identifier, ...named } = license
  return { license: named }
}

function inOlderDialect(document: OpenApiDocument): OpenApiDocument {
  const { components, paths } = document
  if (components === undefined) return { ...document, paths: mapValues(paths, rewriteItem) }
  const { schemas, pathItems: _items, ...others } = components
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
  const { $ref, ...siblings } = draft
  if ($ref !== undefined && Object.keys(siblings).length > 0) {
    delete draft['$ref']
    also.unshift({ $ref })
  }
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

/** A schema of `null` alone. The type only makes `nullable` count. */
const ONLY_NULL = { type: 'string', nullable: true, enum: [null] }

/** The type of values in JSON, if all have the same. */
function typeOfAll(values: readonly unknown[]): string | undefined {
  const [first, ...others] = new Set(
    values.map((value) =>
      Array.isArray(value) ? 'array' : typeof value === 'object' ? 'object' : typeof value,
    ),
  )
  return others.length === 0 ? first : undefined
}

const values = ({ schema, value, draft }: Rewrite): void => {
  const all = listOf(value)
  const others = all.filter((one) => one !== null)
  if (others.length === 0 && all.length > 0) Object.assign(draft, ONLY_NULL)
  else {
    draft['enum'] = all
    if (others.length === all.length) return
    const type = schema['type'] === undefined ? typeOfAll(others) : undefined
    Object.assign(draft, type === undefined ? {} : { type, nullable: true })
  }
}

/** A coding or media type of a text, as the format that says the same; omitted otherwise. */
const format =
  (meant: string, name: string) =>
  ({ value, draft, schema }: Rewrite): void => {
    if (value === meant && schema['type'] === 'string') draft['format'] ??= name
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
    if (types.length === 1 && Array.isArray(value)) {
      Object.assign(draft, { type: types[0] }, value.includes('null') ? { nullable: true } : {})
    } else if (value === 'null' || (Array.isArray(value) && types.length === 0))
      Object.assign(draft, ONLY_NULL)
    else if (types.length < 2) draft['type'] = value
    else {
      const nullable = listOf(value).includes('null') ? { nullable: true } : {}
      also.push({
        anyOf: types.map((type) => ({ type, ...nullable, ...(type === 'array' ? { items: {} } : {}) })),
      })
    }
  },
  enum: values,
  const: (rewrite) => values({ ...rewrite, value: [rewrite.value] }),
  examples: ({ schema, value, draft }) => {
    const [first] = listOf(value)
    if (first !== undefined && schema['example'] === undefined) draft['example'] = first
  },
  contentEncoding: format('base64', 'byte'),
  contentMediaType: format('application/octet-stream', 'binary'),
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
  unevaluatedProperties: drop,
  patternProperties: drop,
  propertyNames: drop,
  $comment: drop,
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
