import { code, join, nothing, type Code } from '../codegen/code.ts'
import { isSchemaObject } from '../guards.ts'
import type { SchemaPlace } from '../resolve-ref.ts'
import { emitArray } from './accept-array.ts'
import { noteChange, pureFrame, Unsupported, type Emission, type Frame, type Target } from './accept-frame.ts'
import { HAS, surveyKeywords } from './accept-keywords.ts'
import { emitObject } from './accept-object.ts'
import { emitNumber, emitString } from './accept-scalars.ts'
import { emitInPlace } from './accept-union.ts'
import { REFUSED } from './coerce.ts'
import { typeMismatch, typesOf, typeTest, type JsonType } from './json-types.ts'

/** Writes a reference; the acceptor decides between a function and the checks in place. */
export type EmitReference = (place: SchemaPlace, target: Target, frame: Frame) => boolean

const GROUPS: readonly {
  readonly type: JsonType
  readonly has: number
  readonly emit: (emission: Emission, place: SchemaPlace, target: Target, frame: Frame) => void
}[] = [
  { type: 'number', has: HAS.number, emit: emitNumber },
  { type: 'string', has: HAS.string, emit: emitString },
  { type: 'array', has: HAS.array, emit: emitArray },
  { type: 'object', has: HAS.object, emit: emitObject },
]

/** Writes the checks of one schema in Ajv's order; true when they may assign to the target's variable. */
export function emitSchema(
  emission: Emission,
  emitReference: EmitReference,
  place: SchemaPlace,
  target: Target,
  frame: Frame,
): boolean {
  const { schema } = place
  if (schema === true) return false
  if (schema === false) {
    frame.writer.line(frame.fail)
    return false
  }
  if (!isSchemaObject(schema)) throw new Unsupported('not a schema')
  const has = surveyKeywords(schema)
  if ((has & HAS.stranger) !== 0) throw new Unsupported('keyword')
  if (schema['nullable'] !== undefined && schema['type'] === undefined)
    throw new Unsupported('nullable without type')
  const isReference = schema['$ref'] !== undefined
  if (isReference && (has & HAS.rule) === 0) return emitReference(place, target, frame)

  const inPlace = isReference || (has & HAS.inPlace) !== 0
  const inner = inPlace ? pureFrame(frame) : frame
  const types = typesOf(schema)
  const reassigned = emitType(emission, types, target, inner, inPlace)
  if (isReference) emitReference(place, target, inner)
  emitConstants(schema, target, inner)
  if (inPlace) emitInPlace(emission, place, target, inner)
  for (const { type, has: group, emit } of GROUPS) {
    if ((has & group) === 0 || !mayBe(types, type)) continue
    if (types.length === 1) emit(emission, place, target, inner)
    else {
      const test =
        type === 'number' ? code`typeof ${target.value} === 'number'` : typeTest([type], target.value)
      frame.writer.block(code`if (${test})`, () => emit(emission, place, target, inner))
    }
  }
  return reassigned
}

function mayBe(types: readonly JsonType[], group: JsonType): boolean {
  return types.length === 0 || types.includes(group) || (group === 'number' && types.includes('integer'))
}

function emitType(
  emission: Emission,
  types: readonly JsonType[],
  target: Target,
  frame: Frame,
  inPlace: boolean,
): boolean {
  if (types.length === 0) return false
  const { policy } = emission
  const { value } = target
  const { writer, composite, mutable } = frame
  // In a union Ajv still applies the sub-schemas for the same value after a type error.
  const fail = composite && inPlace ? frame.giveUp : frame.fail
  const coercer = mutable ? policy.coercers.getFinite(types) : policy.coercers.get(types)
  const wrong = typeMismatch(types, value)
  if (coercer === undefined) {
    writer.line(code`if (${wrong}) { ${fail} }`)
    return false
  }
  const refused = writer.bind(REFUSED, 'refused')
  if (mutable) {
    const coerce = writer.bind(coercer, 'coerce')
    writer.line(
      code`if (${wrong}) { ${value} = ${coerce}(${value}); if (${value} === ${refused}) { ${fail} }; ${noteChange(emission, frame, target)} }`,
    )
    return true
  }
  if (!composite) {
    writer.line(code`if (${wrong}) { ${frame.giveUp} }`)
    return false
  }
  // Ajv goes on with the only item of an array once it has looked at it for a coercion.
  const unwraps = policy.coercers.unwraps
    ? code` || (Array.isArray(${value}) && ${value}.length === 1)`
    : nothing
  const changes = code`${writer.bind(coercer, 'coerce')}(${value}) !== ${refused}${unwraps}`
  writer.line(code`if (${wrong}) { if (${changes}) { ${frame.giveUp} } else { ${fail} } }`)
  return false
}

function emitConstants(schema: Record<string, unknown>, { value }: Target, { writer, fail }: Frame): void {
  if (schema['const'] !== undefined) {
    writer.line(code`if (${value} !== ${scalarLiteral(schema['const'])}) { ${fail} }`)
  }
  const allowed = schema['enum']
  if (allowed === undefined) return
  if (!Array.isArray(allowed) || allowed.length === 0) throw new Unsupported('enum')
  const literals = allowed.map(scalarLiteral)
  const different =
    literals.length <= 16
      ? join(
          literals.map((literal) => code`${value} !== ${literal}`),
          code` && `,
        )
      : code`!${writer.bind(new Set(allowed), 'allowed')}.has(${value})`
  writer.line(code`if (${different}) { ${fail} }`)
}

function scalarLiteral(value: unknown): Code {
  if (value === null) return code`null`
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return code`${value}`
  throw new Unsupported('a constant that is no scalar')
}
