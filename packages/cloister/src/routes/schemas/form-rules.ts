import { childLocation, type SchemaLocation, type SchemaScope } from '@cloister/schema'

import type { FileRule, FormRules } from '../../body/forms/form-rules.ts'
import { isRecord } from '../../guards.ts'
import { inPlace, type PlacedSchema } from './in-place.ts'

/** The location of a form schema, and the settings for its files. */
export interface FormSource {
  readonly root: SchemaLocation
  readonly scope: SchemaScope
  /** longer files are streamed; `Infinity` if no file is */
  readonly kept: number
  /** the member `encoding` next to the schema, as in OpenAPI: media types of properties */
  readonly encoding: unknown
}

/** Reads the rules of a form from the `properties` of its schema, following `$ref` and `allOf`. */
export function readFormRules({ root, scope, kept, encoding }: FormSource): FormRules {
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
