import { code } from '../../codegen/code.ts'
import { isSchemaObject } from '../../guards.ts'
import { childLocation, type SchemaLocation } from '../../document/location.ts'
import { withoutEdits, Unsupported, type Emission, type Block, type Target } from './context.ts'
import { acceptsAnything } from './keywords.ts'
import type { Code } from '../../codegen/code.ts'

/** Writes the keywords that apply schemas to the same value, in Ajv's order. */
export function emitInPlace(
  emission: Emission,
  location: SchemaLocation,
  target: Target,
  block: Block,
): void {
  const { schema } = location
  if (!isSchemaObject(schema)) return
  const trials = schema['not'] ?? schema['anyOf'] ?? schema['oneOf'] ?? schema['if']
  if (trials !== undefined && !emission.policy.unions) throw new Unsupported('a union with all errors')
  if (schema['not'] !== undefined) emitNot(emission, childLocation(location, ['not']), target, block)
  if (schema['anyOf'] !== undefined) emitAnyOf(emission, branches(location, 'anyOf'), target, block)
  if (schema['oneOf'] !== undefined) emitOneOf(emission, branches(location, 'oneOf'), target, block)
  if (schema['allOf'] !== undefined) {
    for (const branch of branches(location, 'allOf')) emission.schema(branch, target, block)
  }
  if (schema['if'] !== undefined) emitIf(emission, location, target, block)
}

function branches(location: SchemaLocation, keyword: string): SchemaLocation[] {
  const list = isSchemaObject(location.schema) ? location.schema[keyword] : undefined
  if (!Array.isArray(list)) throw new Unsupported(keyword)
  return list.map((_branch, index) => childLocation(location, [keyword, index]))
}

/** Writes a trial of a schema; runs `passed` when the value matches, and continues when it does not. */
export function emitTrial(
  emission: Emission,
  location: SchemaLocation,
  target: Target,
  block: Block,
  passed: Code,
): void {
  const { writer } = block
  const label = writer.unique('trial')
  writer.block(code`${label}:`, () => {
    emission.schema(location, target, { ...withoutEdits(block), inUnion: true, reject: code`break ${label}` })
    writer.line(passed)
  })
}

function emitNot(emission: Emission, location: SchemaLocation, target: Target, block: Block): void {
  const { writer, reject } = block
  if (acceptsAnything(location.schema)) {
    writer.line(reject)
    return
  }
  const matched = writer.unique('matched')
  writer.line(code`var ${matched} = false`)
  emitTrial(emission, location, target, block, code`${matched} = true`)
  writer.line(code`if (${matched}) ${reject}`)
}

function emitAnyOf(
  emission: Emission,
  locations: readonly SchemaLocation[],
  target: Target,
  block: Block,
): void {
  const { writer, reject } = block
  if (locations.some(({ schema }) => acceptsAnything(schema))) return
  const matched = writer.unique('matched')
  writer.line(code`var ${matched} = false`)
  for (const location of locations) {
    writer.block(code`if (!${matched})`, () =>
      emitTrial(emission, location, target, block, code`${matched} = true`),
    )
  }
  writer.line(code`if (!${matched}) ${reject}`)
}

function emitOneOf(
  emission: Emission,
  locations: readonly SchemaLocation[],
  target: Target,
  block: Block,
): void {
  const { writer, reject } = block
  const count = writer.unique('count')
  writer.line(code`var ${count} = 0`)
  for (const location of locations) {
    writer.block(code`if (${count} < 2)`, () =>
      emitTrial(emission, location, target, block, code`${count}++`),
    )
  }
  writer.line(code`if (${count} !== 1) ${reject}`)
}

function emitIf(emission: Emission, location: SchemaLocation, target: Target, block: Block): void {
  const { writer } = block
  const clauses = ['then', 'else'].map((keyword) => childLocation(location, [keyword]))
  const [then, otherwise] = clauses.map((clause) =>
    clause.schema === undefined || acceptsAnything(clause.schema) ? undefined : clause,
  )
  if (then === undefined && otherwise === undefined) return
  const matched = writer.unique('matched')
  writer.line(code`var ${matched} = false`)
  emitTrial(emission, childLocation(location, ['if']), target, block, code`${matched} = true`)
  if (then !== undefined) writer.block(code`if (${matched})`, () => emission.schema(then, target, block))
  if (otherwise !== undefined)
    writer.block(code`if (!${matched})`, () => emission.schema(otherwise, target, block))
}
