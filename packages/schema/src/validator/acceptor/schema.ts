import { code, join, nothing, type Code } from '../../codegen/code.ts'
import { isSchemaObject } from '../../guards.ts'
import type { SchemaLocation } from '../../document/location.ts'
import { emitArray } from './array.ts'
import { recordEdit, withoutEdits, Unsupported, type Emission, type Block, type Target } from './context.ts'
import { HAS, surveyKeywords } from './keywords.ts'
import { emitObject } from './object.ts'
import { emitNumber, emitString } from './scalars.ts'
import { emitInPlace } from './union.ts'
import type { RuntimeCall } from '../../codegen/reference.ts'
import { typesOf, type JsonType } from '../../document/json-types.ts'
import { typeMismatch, typeTest } from './types.ts'

const AND = code` && `
const NULL = code`null`

/** The keywords of one kind of value. */
interface Group {
  readonly type: JsonType
  /** The bit of schemas that have some of them. */
  readonly has: number
  readonly emit: (emission: Emission, location: SchemaLocation, target: Target, block: Block) => void
}

const NUMBER: Group = { type: 'number', has: HAS.number, emit: emitNumber }
const STRING: Group = { type: 'string', has: HAS.string, emit: emitString }
const ARRAY: Group = { type: 'array', has: HAS.array, emit: emitArray }
const OBJECT: Group = { type: 'object', has: HAS.object, emit: emitObject }

/** In Ajv's order. */
const GROUPS: readonly Group[] = [NUMBER, STRING, ARRAY, OBJECT]

const GROUP_OF: Readonly<Record<JsonType, Group | undefined>> = {
  number: NUMBER,
  integer: NUMBER,
  string: STRING,
  array: ARRAY,
  object: OBJECT,
  boolean: undefined,
  null: undefined,
}

/**
 * Writes the checks of one schema in Ajv's order; returns true when they may assign to the target's variable.
 */
export function emitSchema(
  emission: Emission,
  location: SchemaLocation,
  target: Target,
  block: Block,
): boolean {
  const { schema } = location
  if (schema === true) return false
  if (schema === false) {
    block.writer.line(block.reject)
    return false
  }
  if (!isSchemaObject(schema)) throw new Unsupported('not a schema')
  const has = surveyKeywords(schema)
  if ((has & HAS.unknown) !== 0) throw new Unsupported('keyword')
  if (schema['nullable'] !== undefined && schema['type'] === undefined)
    throw new Unsupported('nullable without type')
  if (schema['$ref'] !== undefined && (has & HAS.rule) === 0)
    return emission.reference(location, target, block)
  return emitChecks(emission, location, schema, has, target, block)
}

/** @param has - the result of {@link surveyKeywords} */
function emitChecks(
  emission: Emission,
  location: SchemaLocation,
  schema: Record<string, unknown>,
  has: number,
  target: Target,
  block: Block,
): boolean {
  const isReference = schema['$ref'] !== undefined
  const inPlace = isReference || (has & HAS.inPlace) !== 0
  const inner = inPlace ? withoutEdits(block) : block
  const types = typesOf(schema)
  const reassigned = types.length > 0 && emitType(emission, types, target, inner, inPlace)
  if (isReference) emission.reference(location, target, inner)
  if ((has & HAS.constant) !== 0) emitConstants(schema, target, inner)
  if (inPlace) emitInPlace(emission, location, target, inner)
  const only = types.length === 1 ? types[0] : undefined
  if (only === undefined) emitGroups(emission, location, has, types, target, inner)
  else {
    const group = GROUP_OF[only]
    if (group !== undefined && (has & group.has) !== 0) group.emit(emission, location, target, inner)
  }
  return reassigned
}

/** Writes the keywords of each kind of value, after a test of the kind. */
function emitGroups(
  emission: Emission,
  location: SchemaLocation,
  has: number,
  types: readonly JsonType[],
  target: Target,
  block: Block,
): void {
  for (const group of GROUPS) {
    if ((has & group.has) === 0 || !mayBe(types, group.type)) continue
    const test =
      group === NUMBER ? code`typeof ${target.value} === 'number'` : typeTest([group.type], target.value)
    block.writer.block(code`if (${test})`, () => group.emit(emission, location, target, block))
  }
}

function mayBe(types: readonly JsonType[], group: JsonType): boolean {
  return types.length === 0 || types.includes(group) || (group === 'number' && types.includes('integer'))
}

function emitType(
  emission: Emission,
  types: readonly JsonType[],
  target: Target,
  block: Block,
  inPlace: boolean,
): boolean {
  const { policy } = emission
  const { value } = target
  const { writer, inUnion, mutable } = block
  // In a union Ajv still applies in-place sub-schemas after a type error.
  const reject = inUnion && inPlace ? block.defer : block.reject
  const coercer = mutable ? policy.coercers.getFinite(types) : policy.coercers.get(types)
  const wrong = typeMismatch(types, value)
  if (coercer === undefined) {
    writer.line(code`if (${wrong}) ${reject}`)
    return false
  }
  if (mutable) {
    emitCoercion(emission, coercer, wrong, target, block)
    return true
  }
  if (!inUnion) {
    writer.line(code`if (${wrong}) ${block.defer}`)
    return false
  }
  const refused = writer.use('REFUSED')
  // After it tried a coercion, Ajv continues with the only item of an array.
  const unwraps = policy.coercers.unwraps
    ? code` || (Array.isArray(${value}) && ${value}.length === 1)`
    : nothing
  const changes = code`${writer.bind(coercer, 'coerce')}(${value}) !== ${refused}${unwraps}`
  writer.line(code`if (${wrong}) { if (${changes}) ${block.defer}; ${reject} }`)
  return false
}

/** Writes the coercion of a value of a wrong type. */
function emitCoercion(
  emission: Emission,
  coercer: RuntimeCall,
  wrong: Code,
  target: Target,
  block: Block,
): void {
  const { writer, reject } = block
  const { value } = target
  const refused = writer.use('REFUSED')
  const coerce = writer.bind(coercer, 'coerce')
  const change = recordEdit(emission, block, target)
  writer.line(
    code`if (${wrong}) { if ((${value} = ${coerce}(${value})) === ${refused}) ${reject}; ${change} }`,
  )
}

function emitConstants(schema: Record<string, unknown>, { value }: Target, { writer, reject }: Block): void {
  if (schema['const'] !== undefined) {
    writer.line(code`if (${value} !== ${scalarLiteral(schema['const'])}) ${reject}`)
  }
  const allowed = schema['enum']
  if (allowed === undefined) return
  if (!Array.isArray(allowed) || allowed.length === 0) throw new Unsupported('enum')
  const literals = allowed.map(scalarLiteral)
  const different =
    literals.length <= 16
      ? join(
          literals.map((literal) => code`${value} !== ${literal}`),
          AND,
        )
      : code`!${writer.bind({ kind: 'set', items: allowed }, 'allowed')}.has(${value})`
  writer.line(code`if (${different}) ${reject}`)
}

function scalarLiteral(value: unknown): Code {
  if (value === null) return NULL
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return code`${value}`
  throw new Unsupported('a constant that is no scalar')
}
