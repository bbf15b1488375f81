import {
  BodyContent,
  type NormalizedRouteSchema,
  childLocation,
  type SchemaLocation,
  type SchemaScope,
} from '@cloister/schema'

import { FormReader } from '../../body/forms/form-reader.ts'
import { ANY_FORM, type FormRules, type FileRule } from '../../body/forms/form-rules.ts'
import { StreamedFile, StreamedFiles } from '../../body/forms/streamed-file.ts'
import { createJsonParser } from '../../body/default-parsers.ts'
import { hasParser, type BodyParser, type ParserEntry, type ParserLookup } from '../../body/parser-table.ts'
import { parseMediaType } from '../../body/media-type.ts'
import { schemaScopeOf } from '../../context/shared-schemas.ts'
import { prefixCode } from '../../error-prefix.ts'
import { look } from '../../foreign.ts'
import { isRecord, isThenable } from '../../guards.ts'
import { libraryOf } from '../../libraries/validate.ts'
import type { PartValidateFunction, PartValidator } from '../../request/route-plan.ts'
import { withErrorsOf } from './deep-objects.ts'
import type { RequestState } from '../../request/state.ts'
import { kExchange, kPlan, kState } from '../../symbols.ts'
import { nearestName } from '../../suggest.ts'
import { routeSettings, unusableSchema, type RouteRecord } from '../route-record.ts'
import { inPlace, type PlacedSchema } from './in-place.ts'

export const MULTIPART = 'multipart/form-data'
const URLENCODED = 'application/x-www-form-urlencoded'

/** Returns the rules of the form in the body schema of a route; `null` if it has no form. */
export function planForm(record: RouteRecord, { body }: NormalizedRouteSchema): FormRules | null {
  const schema = body instanceof BodyContent ? body.content.get(MULTIPART) : undefined
  if (schema === undefined) return null
  const { context } = record
  const { libraries } = context.app
  const library = libraryOf(schema)
  const json = library === null ? schema : libraries.jsonSchema(library, 'input')?.schema
  if (!isRecord(json)) return ANY_FORM
  const scope = schemaScopeOf(context, new WeakMap())
  // Libraries validate complete files only.
  const kept = library === null ? routeSettings(record).bodyLimit : Infinity
  const encoding = encodingOf(record)
  const rules = readFormRules({ root: scope.open(json), scope, kept, encoding })
  // A misspelt property would accept files of any type. Other members of an encoding are not used.
  for (const [name, entry] of Object.entries(isRecord(encoding) ? encoding : {})) {
    if (look(entry, 'contentType') === undefined || rules.declared?.has(name) !== false) continue
    const nearest = nearestName(name, rules.declared)
    throw unusableSchema(record, `its form has an encoding for '${name}', which is no property${nearest}`)
  }
  return rules
}

/** Returns the member `encoding` of the form, which API documents contain too. */
function encodingOf({ options }: RouteRecord): unknown {
  const { body } = isRecord(options['schema']) ? options['schema'] : {}
  const content = isRecord(body) && isRecord(body['content']) ? body['content'] : {}
  const found = Object.entries(content).find(([type]) => parseMediaType(type).essence === MULTIPART)?.[1]
  return isRecord(found) ? found['encoding'] : undefined
}

/**
 * Returns the parsers of a route, with form parsers if its body schema declares forms. An application parser for the
 * same type takes precedence.
 */
export function withFormParsers(
  parsers: ParserLookup,
  record: RouteRecord,
  { body }: NormalizedRouteSchema,
  form: FormRules | null,
): ParserLookup {
  const isUrlencoded = body instanceof BodyContent && body.content.has(URLENCODED)
  if (form === null && !isUrlencoded) return parsers
  const byMediaType = new Map<string, readonly ParserEntry[]>(parsers.byMediaType)
  const add = (type: string, parser: BodyParser): void => {
    if (!hasParser(parsers, type)) byMediaType.set(type, [{ type: parseMediaType(type), parser }])
  }
  if (form !== null) add(MULTIPART, multipartParser(record, form))
  if (isUrlencoded) add(URLENCODED, URLENCODED_PARSER)
  return { ...parsers, byMediaType }
}

const COMMON = { bodyLimit: null, isDefault: true, callSite: null } as const

const URLENCODED_PARSER: BodyParser = {
  ...COMMON,
  parseAs: 'string',
  parse: (request, text) => (isRequest(request) ? request[kPlan].app.parseQuery(String(text)) : undefined),
}

/** Parsers get a request, but their arguments are typed as unknown. */
function isRequest(value: unknown): value is RequestState {
  return typeof value === 'object' && value !== null && kExchange in value
}

function multipartParser(record: RouteRecord, rules: FormRules): BodyParser {
  const { options } = record.context.app
  const limit = routeSettings(record).bodyLimit
  const json = createJsonParser(options.onProtoPoisoning, options.onConstructorPoisoning)
  const parseJson = (text: string): unknown => json(null, text)
  const refused = (error: unknown): unknown => prefixCode(error, options.errorCodePrefix)
  const parse = (request: unknown): unknown => {
    if (!isRequest(request)) return undefined
    const exchange = request[kExchange]
    const source = request[kState].bodyStream ?? exchange.bodyStream
    return new FormReader({ rules, limit, exchange, source, parseJson, refused }).read()
  }
  return { ...COMMON, parseAs: null, parse }
}

/**
 * Lets a validator of text validate a form. It sees each file as a string of the minimum length that the schema allows.
 */
export function withFiles(validator: PartValidator, { files }: FormRules): PartValidator {
  if (files.size === 0) return validator
  const { validate } = validator
  const checked: PartValidateFunction = (data, holder) => {
    const taken = Object.fromEntries(isRecord(data) ? takeFiles(data, files) : [])
    const putBack = (result: unknown): unknown => {
      for (const values of [data, look(result, 'value')]) if (isRecord(values)) Object.assign(values, taken)
      return result
    }
    const result = validate(data, holder)
    if (!isThenable(result)) return putBack(result)
    return Promise.resolve(result)
      .finally(() => putBack(undefined))
      .then(putBack)
  }
  return { ...validator, validate: withErrorsOf(validate, checked) }
}

function takeFiles(data: Record<string, unknown>, rules: FormRules['files']): Map<string, unknown> {
  const taken = new Map<string, unknown>()
  for (const [name, { minLength, minItems }] of rules) {
    const value = data[name]
    const text = ' '.repeat(minLength)
    if (value instanceof File || value instanceof StreamedFile) data[name] = text
    else if (value instanceof StreamedFiles)
      data[name] = Array.from({ length: Math.max(minItems, 1) }, () => text)
    else if (Array.isArray(value) && value.every((one) => one instanceof File))
      data[name] = value.map(() => text)
    else continue
    taken.set(name, value)
  }
  return taken
}

/** The location of a form schema, and the settings for its files. */
interface FormSource {
  readonly root: SchemaLocation
  readonly scope: SchemaScope
  /** longer files are streamed; `Infinity` if no file is */
  readonly kept: number
  /** the member `encoding` next to the schema, as in OpenAPI: media types of properties */
  readonly encoding: unknown
}

/** Reads the rules of a form from the `properties` of its schema, following `$ref` and `allOf`. */
function readFormRules({ root, scope, kept, encoding }: FormSource): FormRules {
  const files = new Map<string, FileRule>()
  const objects = new Set<string>()
  const declared = new Set<string>()
  let isOpen = false
  /** Returns the schema at the end of a chain of references. */
  const follow = (from: SchemaLocation): PlacedSchema => {
    const [found] = inPlace(from, scope, [])
    return found ?? { at: from, schema: {} }
  }
  for (const { at, schema } of inPlace(root, scope, ['allOf'])) {
    const { properties, additionalProperties, patternProperties } = schema
    const isClosed = additionalProperties === undefined || additionalProperties === false
    if (!isClosed || isRecord(patternProperties)) isOpen = true
    for (const name of Object.keys(isRecord(properties) ? properties : {})) {
      declared.add(name)
      const own = follow(childLocation(at, ['properties', name]))
      const isList = own.schema['type'] === 'array'
      const item = isList ? follow(childLocation(own.at, ['items'])).schema : own.schema
      if (item['type'] === 'object') objects.add(name)
      if (!isFile(item)) continue
      const maxLength = numberOr(item['maxLength'], Infinity)
      files.set(name, {
        isList,
        minLength: numberOr(item['minLength'], 0),
        maxLength,
        minItems: isList ? numberOr(own.schema['minItems'], 0) : 0,
        maxItems: isList ? numberOr(own.schema['maxItems'], Infinity) : 1,
        types: mediaTypes(item['contentMediaType'], encoding, name),
        streams: maxLength !== Infinity && maxLength > kept,
      })
    }
  }
  return { files, objects, declared, isOpen }
}

/** Returns whether a schema describes a file, as in OpenAPI. */
function isFile({ type, format }: Readonly<Record<string, unknown>>): boolean {
  return type === 'string' && format === 'binary'
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
