import { childLocation, type SchemaLocation, type SchemaScope } from '@cloister/schema'

import { isRecord } from '../../guards.ts'

/** What the schema of a form says of a property that is a file, or a list of files. */
export interface FileRule {
  readonly isList: boolean
  readonly minLength: number
  /** the most bytes; `Infinity` leaves it to the limit of the form */
  readonly maxLength: number
  readonly minItems: number
  readonly maxItems: number
  /** media types, such as `image/png` and `image/*`; empty for any */
  readonly types: readonly string[]
  /** the handler reads it while it arrives */
  readonly streams: boolean
}

/** What the schema of a form says of its parts. */
export interface FormRules {
  readonly files: ReadonlyMap<string, FileRule>
  /** properties whose text is JSON: objects, and lists of them */
  readonly objects: ReadonlySet<string>
  /** all properties that are declared; `null` where the schema cannot be read, and the form may have any parts */
  readonly declared: ReadonlySet<string> | null
  /** parts without a file need no declaration: the schema has `additionalProperties` or `patternProperties` */
  readonly isOpen: boolean
}

/** A form whose schema cannot be read: every file is kept. */
export const ANY_FORM: FormRules = { files: new Map(), objects: new Set(), declared: null, isOpen: true }

/** What a reading of a schema collects. */
interface Draft {
  readonly files: Map<string, FileRule>
  readonly objects: Set<string>
  readonly declared: Set<string>
  isOpen: boolean
}

/** Where a schema is, and what decides about its files. */
export interface FormSource {
  readonly root: SchemaLocation
  readonly scope: SchemaScope
  /** files that may be longer stream; `Infinity` where none does */
  readonly kept: number
  /** the member `encoding` beside the schema, as in OpenAPI: media types of properties */
  readonly encoding: unknown
}

/** Reads the rules of a form from its schema: `properties`, also behind `$ref` and `allOf`. */
export function readFormRules(source: FormSource): FormRules {
  const draft: Draft = { files: new Map(), objects: new Set(), declared: new Set(), isOpen: false }
  collect(source.root, source, draft, new Set())
  return draft
}

function collect(from: SchemaLocation, source: FormSource, draft: Draft, seen: Set<unknown>): void {
  const { schema } = from
  if (!isRecord(schema) || seen.has(schema)) return
  seen.add(schema)
  const { $ref, allOf, properties, additionalProperties, patternProperties } = schema
  if (typeof $ref === 'string') {
    const target = source.scope.resolve(from, $ref)
    if (target !== undefined) collect(target, source, draft, seen)
  }
  if (Array.isArray(allOf)) {
    for (const index of allOf.keys()) collect(childLocation(from, ['allOf', index]), source, draft, seen)
  }
  for (const name of Object.keys(isRecord(properties) ? properties : {})) {
    readProperty(name, childLocation(from, ['properties', name]), source, draft)
  }
  const isClosed = additionalProperties === undefined || additionalProperties === false
  if (!isClosed || isRecord(patternProperties)) draft.isOpen = true
}

function readProperty(name: string, at: SchemaLocation, source: FormSource, draft: Draft): void {
  draft.declared.add(name)
  const own = follow(at, source.scope)
  const isList = own.schema['type'] === 'array'
  const item = isList ? follow(childLocation(own.location, ['items']), source.scope) : own
  if (item.schema['type'] === 'object') draft.objects.add(name)
  if (!isFile(item.schema)) return
  const maxLength = numberOr(item.schema['maxLength'], Infinity)
  draft.files.set(name, {
    isList,
    minLength: numberOr(item.schema['minLength'], 0),
    maxLength,
    minItems: isList ? numberOr(own.schema['minItems'], 0) : 0,
    maxItems: isList ? numberOr(own.schema['maxItems'], Infinity) : 1,
    types: mediaTypes(item.schema['contentMediaType'], source.encoding, name),
    streams: maxLength !== Infinity && maxLength > source.kept,
  })
}

/** Whether a schema is that of a file, as OpenAPI writes it. */
function isFile({ type, format }: Readonly<Record<string, unknown>>): boolean {
  return type === 'string' && format === 'binary'
}

interface Followed {
  readonly location: SchemaLocation
  readonly schema: Readonly<Record<string, unknown>>
}

function follow(from: SchemaLocation, scope: SchemaScope): Followed {
  let location = from
  const seen = new Set<unknown>()
  while (
    isRecord(location.schema) &&
    typeof location.schema['$ref'] === 'string' &&
    !seen.has(location.schema)
  ) {
    seen.add(location.schema)
    const target = scope.resolve(location, location.schema['$ref'])
    if (target === undefined) break
    location = target
  }
  return { location, schema: isRecord(location.schema) ? location.schema : {} }
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

function mediaTypes(ofSchema: unknown, encoding: unknown, name: string): readonly string[] {
  const entry = isRecord(encoding) ? encoding[name] : undefined
  const listed = isRecord(entry) ? entry['contentType'] : undefined
  const text = typeof listed === 'string' ? listed : typeof ofSchema === 'string' ? ofSchema : ''
  return text
    .split(',')
    .map((type) => type.trim().toLowerCase())
    .filter((type) => type !== '' && type !== '*/*')
}

/** Whether a media type is among those of a rule, which may end in `/*`. */
export function admitsType({ types }: FileRule, type: string): boolean {
  return (
    types.length === 0 ||
    types.some((one) => (one.endsWith('/*') ? type.startsWith(one.slice(0, -1)) : type === one))
  )
}
