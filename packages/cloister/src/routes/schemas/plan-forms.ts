import type { StandardSchema } from '@cloister/schema'

import { errorOfEscapes } from '../../body/exact/encodings.ts'
import { FormReader } from '../../body/forms/form-reader.ts'
import { ANY_FORM, type FormRules } from '../../body/forms/form-rules.ts'
import { guardNames } from '../../body/forms/name-guard.ts'
import { StreamedFile, StreamedFiles } from '../../body/forms/streamed-file.ts'
import { createJsonParser } from '../../body/default-parsers.ts'
import { OWN_PARSER, type BodyParser } from '../../body/parser-table.ts'
import { MULTIPART, parseMediaType } from '../../body/media-type.ts'
import { schemaScopeOf } from '../../context/shared-schemas.ts'
import { prefixCode } from '../../error-prefix.ts'
import { look } from '../../foreign.ts'
import { isRecord, isThenable, recordOf, type Dictionary } from '../../guards.ts'
import { libraryOf } from '../../libraries/validate.ts'
import type { PartValidateFunction, PartValidator } from '../../request/route-plan.ts'
import { RequestImpl } from '../../request/request.ts'
import { kExchange, kPlan, kState } from '../../symbols.ts'
import { nearestName } from '../../suggest.ts'
import { routeSettings, unusableSchema, type RouteRecord } from '../route-record.ts'
import { withErrorsOf } from './deep-objects.ts'
import type { BodyPlan } from './plan-bodies.ts'
import { readFormRules, type FormReading } from './read-form-rules.ts'

/** Plans the bodies of a multipart form. */
export function planForm(record: RouteRecord, schema: unknown, validator: PartValidator): BodyPlan {
  const library = libraryOf(schema)
  const rules = formRules(record, schema, library)
  return {
    parser: multipartParser(record, rules),
    validator: library === null ? withFiles(validator, rules) : validator,
  }
}

function formRules(record: RouteRecord, schema: unknown, library: StandardSchema | null): FormRules {
  const { context } = record
  const json = library === null ? schema : context.app.libraries.jsonSchema(library, 'input')?.schema
  if (!isRecord(json)) return ANY_FORM
  const scope = schemaScopeOf(context, new WeakMap())
  // Libraries validate complete files only.
  const kept = library === null ? routeSettings(record).bodyLimit : Infinity
  const encoding = encodingOf(record)
  const readRules = (reading: FormReading): FormRules => {
    try {
      return readFormRules(scope.open(json), scope, reading)
    } catch (cause) {
      throw cause instanceof TypeError ? unusableSchema(record, cause.message, { cause }) : cause
    }
  }
  const rules = readRules({ kept, encoding, isLibrary: library !== null })
  // A misspelt property would accept files of any type. Other members of an encoding are not used.
  for (const [name, entry] of Object.entries(encoding)) {
    if (look(entry, 'contentType') === undefined || rules.declared?.has(name) !== false) continue
    const nearest = nearestName(name, rules.declared)
    throw unusableSchema(record, `its form has an encoding for '${name}', which is no property${nearest}`)
  }
  return rules
}

/** Returns the member `encoding` of the form, as in OpenAPI: media types of properties. */
function encodingOf({ options }: RouteRecord): Dictionary {
  const { body } = recordOf(options['schema'])
  const { content } = recordOf(body)
  const found = Object.entries(recordOf(content)).find(
    ([type]) => parseMediaType(type).essence === MULTIPART,
  )?.[1]
  return recordOf(recordOf(found)['encoding'])
}

/** Plans the bodies of a form in the coding of URLs. */
export function planUrlencoded(validator: PartValidator): BodyPlan {
  return { parser: URLENCODED_PARSER, validator }
}

const URLENCODED_PARSER: BodyParser = {
  ...OWN_PARSER,
  parseAs: 'string',
  parse: (request, given) => {
    if (!(request instanceof RequestImpl)) return undefined
    const { app } = request[kPlan]
    const text = String(given)
    if (app.exact.bodyText === 'utf-8') app.exact.refuse(errorOfEscapes(text, 'body'), request)
    const values = app.parseQuery(text, request)
    guardNames(values, app.options)
    return values
  },
}

function multipartParser(record: RouteRecord, rules: FormRules): BodyParser {
  const { options, exact } = record.context.app
  const limit = routeSettings(record).bodyLimit
  const json = createJsonParser({ ...options, ...exact })
  const refused = (error: unknown): unknown => prefixCode(error, options)
  const parse = (request: unknown): unknown => {
    if (!(request instanceof RequestImpl)) return undefined
    const exchange = request[kExchange]
    const replaced = request[kState].bodyStream
    const parseJson = (text: string): unknown => json(request, text)
    const refuseText =
      exact.bodyText === 'utf-8' ? (error: Error): void => exact.refuse(error, request) : null
    return new FormReader({
      rules,
      limit,
      exchange,
      replaced,
      parseJson,
      names: options,
      refuseText,
      refused,
    }).read()
  }
  return { ...OWN_PARSER, parseAs: null, parse }
}

/**
 * Lets a validator of text validate a form. It sees each file as a string of the minimum length that the schema allows.
 */
function withFiles(validator: PartValidator, { files }: FormRules): PartValidator {
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
