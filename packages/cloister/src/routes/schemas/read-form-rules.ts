import {
  childLocation,
  schemasInPlace,
  type PlacedSchema,
  type SchemaLocation,
  type SchemaScope,
} from '@cloister/schema'
import { IN_PLACE } from '@cloister/schema/internal'

import { ANY_FILE, type FileRule, type FormRules } from '../../body/forms/form-rules.ts'
import { look } from '../../foreign.ts'
import { isRecord, recordOf, type Dictionary } from '../../guards.ts'

/** Keywords that say what a part is. A condition may name a property without any. */
const DECIDING = (
  'type format minLength maxLength items minItems maxItems contentMediaType $ref ' + IN_PLACE.join(' ')
).split(' ')

export interface FormReading {
  /** Longer files are streamed; `Infinity` if no file is. */
  readonly kept: number
  /** The media types of properties, as in OpenAPI. */
  readonly encoding: Dictionary
  /** A library validates complete files, by the branch of a union that applies. */
  readonly isLibrary: boolean
}

/**
 * Reads the rules of a form from the `properties` of its schema, following `$ref`, `allOf`, unions and conditions.
 *
 * @throws TypeError if branches declare a part in ways between which only the validated form decides
 */
export function readFormRules(root: SchemaLocation, scope: SchemaScope, reading: FormReading): FormRules {
  const files = new Map<string, FileRule>()
  const objects = new Set<string>()
  const declared = new Set<string>()
  let isOpen = false
  for (const { schema } of schemasInPlace(root, scope)) {
    const { additionalProperties, patternProperties } = schema
    const isClosed = additionalProperties === undefined || additionalProperties === false
    if (!isClosed || isRecord(patternProperties)) isOpen = true
  }
  for (const { name, at } of declarations(root, scope)) {
    const says = at.some(({ schema }) => isRecord(schema) && DECIDING.some((keyword) => keyword in schema))
    const { file, isObject } = readPart(at, scope, name, reading)
    if (isObject) objects.add(name)
    const known = files.get(name)
    if (says && declared.has(name) && !isSame(known, file)) {
      if (!reading.isLibrary)
        throw new TypeError(
          `its form declares the file '${name}' twice, and differently, and only the whole form decides which one applies: declare it once, with limits for every form, in 'properties' or in members of 'allOf'`,
        )
      files.set(name, anyOf(known, file))
    } else if (file !== undefined) files.set(name, file)
    declared.add(name)
  }
  return { files, objects, declared, isOpen }
}

/** A part, with the schemas that hold for it together. */
interface Declaration {
  readonly name: string
  readonly at: readonly SchemaLocation[]
}

/** Yields the parts of every form, whatever it has, and then those of each union and condition by itself. */
function* declarations(root: SchemaLocation, scope: SchemaScope): Generator<Declaration> {
  const always = new Map<unknown, SchemaLocation>()
  addAlways(root, scope, always)
  const parts = new Map<string, SchemaLocation[]>()
  for (const at of always.values())
    for (const [name, part] of partsIn(at)) parts.set(name, [...(parts.get(name) ?? []), part])
  for (const [name, at] of parts) yield { name, at }
  for (const { at } of schemasInPlace(root, scope))
    if (!always.has(at.schema)) for (const [name, part] of partsIn(at)) yield { name, at: [part] }
}

/** Adds the schemas that apply to every form: the one given, what it refers to, and the members of its `allOf`. */
function addAlways(at: SchemaLocation, scope: SchemaScope, found: Map<unknown, SchemaLocation>): void {
  const { schema } = at
  if (!isRecord(schema) || found.has(schema)) return
  found.set(schema, at)
  const { $ref, allOf } = schema
  const target = typeof $ref === 'string' ? scope.resolve(at, $ref) : undefined
  if (target !== undefined) addAlways(target, scope, found)
  if (!Array.isArray(allOf)) return
  for (const index of allOf.keys()) addAlways(childLocation(at, ['allOf', index]), scope, found)
}

function partsIn(at: SchemaLocation): readonly (readonly [name: string, at: SchemaLocation])[] {
  const { properties } = recordOf(at.schema)
  return Object.keys(recordOf(properties)).map((name) => [name, childLocation(at, ['properties', name])])
}

function readPart(
  at: readonly SchemaLocation[],
  scope: SchemaScope,
  name: string,
  { kept, encoding }: FormReading,
): { readonly file: FileRule | undefined; readonly isObject: boolean } {
  const own = at.flatMap((one) => [...schemasInPlace(one, scope)])
  const isList = own.some(({ schema }) => [schema['type']].flat().includes('array'))
  const items = !isList
    ? own
    : own.flatMap(({ at: list }) => [...schemasInPlace(childLocation(list, ['items']), scope)])
  const types = items.flatMap(({ schema }) => (isFile(schema) ? [] : [schema['type']].flat()))
  const isObject = types.includes('object') && !types.includes('string')
  if (!items.some(({ schema }) => isFile(schema))) return { file: undefined, isObject }
  const maxLength = limitIn(items, 'maxLength', Math.min, Infinity)
  const listed = look(encoding[name], 'contentType')
  const stated = items.map(({ schema }) => schema['contentMediaType']).findLast((one) => one !== undefined)
  const file = {
    isList,
    minLength: limitIn(items, 'minLength', Math.max, 0),
    maxLength,
    minItems: isList ? limitIn(own, 'minItems', Math.max, 0) : 0,
    maxItems: isList ? limitIn(own, 'maxItems', Math.min, Infinity) : 1,
    types: mediaTypes(typeof listed === 'string' ? listed : stated),
    streams: maxLength !== Infinity && maxLength > kept,
    isTextToo: types.includes('string'),
  }
  return { file, isObject }
}

/** A file, as in OpenAPI. */
function isFile(schema: PlacedSchema['schema']): boolean {
  return [schema['type']].flat().includes('string') && schema['format'] === 'binary'
}

function limitIn(
  parts: readonly PlacedSchema[],
  keyword: string,
  choose: (...limits: number[]) => number,
  otherwise: number,
): number {
  const limits = parts.map(({ schema }) => schema[keyword]).filter((one) => typeof one === 'number')
  return limits.length === 0 ? otherwise : choose(...limits)
}

function isSame(one: FileRule | undefined, other: FileRule | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The rule for a part that is declared in several ways: its library decides which of them applies. */
function anyOf(one: FileRule | undefined, other: FileRule | undefined): FileRule {
  const isTextToo = one === undefined || other === undefined || one.isTextToo || other.isTextToo
  const isList = one?.isList === true || other?.isList === true
  return { ...ANY_FILE, isList, isTextToo }
}

function mediaTypes(listed: unknown): readonly string[] {
  return (typeof listed === 'string' ? listed : '')
    .split(',')
    .map((type) => type.trim().toLowerCase())
    .filter((type) => type !== '' && type !== '*/*')
}
