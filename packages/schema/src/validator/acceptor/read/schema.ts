import { typesOf, type JsonType } from '../../../document/json-types.ts'
import type { SchemaLocation } from '../../../document/location.ts'
import { isSchemaObject } from '../../../guards.ts'
import {
  ANYTHING,
  NOTHING,
  type CheckNode,
  type Group,
  type Scalar,
  type TestNode,
  type TypeNode,
  type Use,
} from '../ir.ts'
import { readArray } from './array.ts'
import { readInPlace } from './in-place.ts'
import { HAS, surveyKeywords } from '../../../document/survey.ts'
import { readObject } from './object.ts'
import type { Reader } from './reader.ts'
import { readNumber, readString } from './scalars.ts'
import { Unsupported } from './unsupported.ts'

type Schema = Record<string, unknown>

/** The keywords about one kind of value. */
interface GroupRow {
  readonly group: Group
  /** The bit of schemas that have some of them. */
  readonly has: number
  readonly read: (reader: Reader, location: SchemaLocation, schema: Schema, use: Use) => TestNode[]
}

const NUMBER: GroupRow = { group: 'number', has: HAS.number, read: readNumber }
const STRING: GroupRow = { group: 'string', has: HAS.string, read: readString }
const ARRAY: GroupRow = { group: 'array', has: HAS.array, read: readArray }
const OBJECT: GroupRow = { group: 'object', has: HAS.object, read: readObject }

/** In the order of Ajv. */
const GROUPS: readonly GroupRow[] = [NUMBER, STRING, ARRAY, OBJECT]

const GROUP_OF: Readonly<Record<JsonType, GroupRow | undefined>> = {
  number: NUMBER,
  integer: NUMBER,
  string: STRING,
  array: ARRAY,
  object: OBJECT,
  boolean: undefined,
  null: undefined,
}

/** Reads the checks of one schema in the order of Ajv. */
export function readSchema(reader: Reader, location: SchemaLocation, use: Use): CheckNode {
  const { schema } = location
  if (schema === true) return ANYTHING
  if (schema === false) return NOTHING
  if (!isSchemaObject(schema)) throw new Unsupported('not a schema')
  const has = surveyKeywords(schema, location.document.dialect)
  if ((has & (HAS.unknown | HAS.unaccepted)) !== 0) throw new Unsupported('keyword')
  if (schema['nullable'] !== undefined && schema['type'] === undefined)
    throw new Unsupported('nullable without type')
  if (schema['$ref'] !== undefined && (has & HAS.rule) === 0) {
    return { type: undefined, tests: [{ kind: 'reference', target: reader.follow(location, use) }] }
  }
  return readChecks(reader, location, schema, has, use)
}

/** @param has - the result of {@link surveyKeywords} */
function readChecks(
  reader: Reader,
  location: SchemaLocation,
  schema: Schema,
  has: number,
  outer: Use,
): CheckNode {
  const isReference = schema['$ref'] !== undefined
  const inPlace = isReference || (has & HAS.inPlace) !== 0
  const use = inPlace && outer === 'edit' ? 'observe' : outer
  const types = typesOf(schema)
  const tests: TestNode[] = []
  if (isReference) tests.push({ kind: 'reference', target: reader.follow(location, use) })
  if ((has & HAS.constant) !== 0) readConstants(schema, tests)
  if (inPlace) tests.push(...readInPlace(reader, location, schema, use))
  const only = types.length === 1 ? types[0] : undefined
  if (only === undefined) tests.push(...readGroups(reader, location, schema, has, types, use))
  else {
    const row = GROUP_OF[only]
    if (row !== undefined && (has & row.has) !== 0) tests.push(...row.read(reader, location, schema, use))
  }
  return { type: types.length === 0 ? undefined : readType(reader, types, use, inPlace), tests }
}

/** Reads the keywords of each kind of value, after a test of the kind. */
function readGroups(
  reader: Reader,
  location: SchemaLocation,
  schema: Schema,
  has: number,
  types: readonly JsonType[],
  use: Use,
): TestNode[] {
  const tests: TestNode[] = []
  for (const row of GROUPS) {
    if ((has & row.has) === 0 || !mayBe(types, row.group)) continue
    const own = row.read(reader, location, schema, use)
    if (own.length > 0) tests.push({ kind: 'when', group: row.group, tests: own })
  }
  return tests
}

function mayBe(types: readonly JsonType[], group: Group): boolean {
  return types.length === 0 || types.includes(group) || (group === 'number' && types.includes('integer'))
}

function readType({ policy }: Reader, types: readonly JsonType[], use: Use, inPlace: boolean): TypeNode {
  const coercer = use === 'edit' ? policy.coercers.getFinite(types) : policy.coercers.get(types)
  // In a union Ajv still applies in-place sub-schemas after a type error.
  const otherwise = use === 'union' && inPlace ? 'defer' : 'reject'
  if (coercer === undefined) return { types, otherwise, coercion: undefined }
  if (use === 'observe') return { types, otherwise: 'defer', coercion: undefined }
  const effect = use === 'edit' ? 'replace' : 'defer'
  const unwraps = use === 'union' && policy.coercers.unwraps
  return { types, otherwise, coercion: { coercer, effect, unwraps } }
}

function readConstants(schema: Schema, tests: TestNode[]): void {
  const { const: only, enum: allowed } = schema
  if (only !== undefined) tests.push({ kind: 'literals', values: [scalarOf(only)] })
  if (allowed === undefined) return
  if (!Array.isArray(allowed) || allowed.length === 0) throw new Unsupported('enum')
  tests.push({ kind: 'literals', values: allowed.map(scalarOf) })
}

function scalarOf(value: unknown): Scalar {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  throw new Unsupported('a constant that is no scalar')
}
