import { code } from '../../codegen/code.ts'
import { isSchemaObject } from '../../guards.ts'
import { childLocation, type SchemaLocation } from '../../document/location.ts'
import { pureFrame, Unsupported, type Emission, type Frame, type Target } from './context.ts'
import { acceptsAnything } from './keywords.ts'
import type { Code } from '../../codegen/code.ts'

/** Writes the keywords that apply schemas to the same value, in Ajv's order. */
export function emitInPlace(emission: Emission, place: SchemaLocation, target: Target, frame: Frame): void {
  const { schema } = place
  if (!isSchemaObject(schema)) return
  const trials = schema['not'] ?? schema['anyOf'] ?? schema['oneOf'] ?? schema['if']
  if (trials !== undefined && !emission.policy.unions) throw new Unsupported('a union with all errors')
  if (schema['not'] !== undefined) emitNot(emission, childLocation(place, ['not']), target, frame)
  if (schema['anyOf'] !== undefined) emitAnyOf(emission, branches(place, 'anyOf'), target, frame)
  if (schema['oneOf'] !== undefined) emitOneOf(emission, branches(place, 'oneOf'), target, frame)
  if (schema['allOf'] !== undefined) {
    for (const branch of branches(place, 'allOf')) emission.schema(branch, target, frame)
  }
  if (schema['if'] !== undefined) emitIf(emission, place, target, frame)
}

function branches(place: SchemaLocation, keyword: string): SchemaLocation[] {
  const list = isSchemaObject(place.schema) ? place.schema[keyword] : undefined
  if (!Array.isArray(list)) throw new Unsupported(keyword)
  return list.map((_branch, index) => childLocation(place, [keyword, index]))
}

/** Tries a schema; runs `passed` when the value matches and goes on when it does not. */
export function emitTrial(
  emission: Emission,
  place: SchemaLocation,
  target: Target,
  frame: Frame,
  passed: Code,
): void {
  const { writer } = frame
  const label = writer.unique('trial')
  writer.block(code`${label}:`, () => {
    emission.schema(place, target, { ...pureFrame(frame), composite: true, fail: code`break ${label}` })
    writer.line(passed)
  })
}

function emitNot(emission: Emission, place: SchemaLocation, target: Target, frame: Frame): void {
  const { writer, fail } = frame
  if (acceptsAnything(place.schema)) {
    writer.line(fail)
    return
  }
  const matched = writer.unique('matched')
  writer.line(code`var ${matched} = false`)
  emitTrial(emission, place, target, frame, code`${matched} = true`)
  writer.line(code`if (${matched}) ${fail}`)
}

function emitAnyOf(
  emission: Emission,
  places: readonly SchemaLocation[],
  target: Target,
  frame: Frame,
): void {
  const { writer, fail } = frame
  if (places.some(({ schema }) => acceptsAnything(schema))) return
  const matched = writer.unique('matched')
  writer.line(code`var ${matched} = false`)
  for (const place of places) {
    writer.block(code`if (!${matched})`, () =>
      emitTrial(emission, place, target, frame, code`${matched} = true`),
    )
  }
  writer.line(code`if (!${matched}) ${fail}`)
}

function emitOneOf(
  emission: Emission,
  places: readonly SchemaLocation[],
  target: Target,
  frame: Frame,
): void {
  const { writer, fail } = frame
  const count = writer.unique('count')
  writer.line(code`var ${count} = 0`)
  for (const place of places) {
    writer.block(code`if (${count} < 2)`, () => emitTrial(emission, place, target, frame, code`${count}++`))
  }
  writer.line(code`if (${count} !== 1) ${fail}`)
}

function emitIf(emission: Emission, place: SchemaLocation, target: Target, frame: Frame): void {
  const { writer } = frame
  const clauses = ['then', 'else'].map((keyword) => childLocation(place, [keyword]))
  const [then, otherwise] = clauses.map((clause) =>
    clause.schema === undefined || acceptsAnything(clause.schema) ? undefined : clause,
  )
  if (then === undefined && otherwise === undefined) return
  const matched = writer.unique('matched')
  writer.line(code`var ${matched} = false`)
  emitTrial(emission, childLocation(place, ['if']), target, frame, code`${matched} = true`)
  if (then !== undefined) writer.block(code`if (${matched})`, () => emission.schema(then, target, frame))
  if (otherwise !== undefined)
    writer.block(code`if (!${matched})`, () => emission.schema(otherwise, target, frame))
}
