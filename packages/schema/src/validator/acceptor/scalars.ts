import { code } from '../../codegen/code.ts'
import { isSchemaObject } from '../../guards.ts'
import type { SchemaLocation } from '../../document/location.ts'
import { Unsupported, type Emission, type Block, type Target } from './context.ts'
import { formatTest } from '../../runtime/formats.ts'
import { typesOf } from '../../document/json-types.ts'

function numberKeyword(schema: Record<string, unknown>, keyword: string): number | undefined {
  const value = schema[keyword]
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Unsupported(keyword)
  return value
}

/** Writes the keywords of numbers. */
export function emitNumber(
  _emission: Emission,
  { schema }: SchemaLocation,
  { value }: Target,
  block: Block,
): void {
  if (!isSchemaObject(schema)) return
  const { writer, reject, defer } = block
  // Ajv's treatment of infinities depends on its options.
  if (typesOf(schema).length !== 1) writer.line(code`if (!isFinite(${value})) ${defer}`)
  const maximum = numberKeyword(schema, 'maximum')
  const minimum = numberKeyword(schema, 'minimum')
  if (maximum !== undefined && minimum !== undefined) {
    writer.line(code`if (!(${value} <= ${maximum} && ${value} >= ${minimum})) ${reject}`)
  } else if (maximum !== undefined) writer.line(code`if (!(${value} <= ${maximum})) ${reject}`)
  else if (minimum !== undefined) writer.line(code`if (!(${value} >= ${minimum})) ${reject}`)
  const below = numberKeyword(schema, 'exclusiveMaximum')
  if (below !== undefined) writer.line(code`if (!(${value} < ${below})) ${reject}`)
  const above = numberKeyword(schema, 'exclusiveMinimum')
  if (above !== undefined) writer.line(code`if (!(${value} > ${above})) ${reject}`)
  const factor = numberKeyword(schema, 'multipleOf')
  if (factor !== undefined) {
    const test = writer.use('isMultipleOf')
    writer.line(code`if (!${test}(${value}, ${factor})) ${reject}`)
  }
  emitFormat(schema, 'number', value, block)
}

/** Writes the keywords of strings. */
export function emitString(
  _emission: Emission,
  { schema }: SchemaLocation,
  { value }: Target,
  block: Block,
): void {
  if (!isSchemaObject(schema)) return
  const { writer, reject } = block
  const maxLength = numberKeyword(schema, 'maxLength')
  const minLength = numberKeyword(schema, 'minLength')
  if (maxLength !== undefined) {
    const length = writer.use('codePointLength')
    writer.line(
      code`if (${value}.length > ${maxLength} && (${value}.length > ${maxLength * 2} || ${length}(${value}) > ${maxLength})) ${reject}`,
    )
  }
  if (minLength !== undefined) {
    const length = writer.use('codePointLength')
    writer.line(
      code`if (${value}.length < ${minLength * 2} && (${value}.length < ${minLength} || ${length}(${value}) < ${minLength})) ${reject}`,
    )
  }
  const { pattern } = schema
  if (pattern !== undefined)
    writer.line(
      code`if (!${writer.bind({ kind: 'regexp', value: patternOf(pattern) }, 'pattern')}.test(${value})) ${reject}`,
    )
  emitFormat(schema, 'string', value, block)
}

/** Compiles a regular expression as Ajv does. */
export function patternOf(source: unknown): RegExp {
  if (typeof source !== 'string') throw new Unsupported('pattern')
  try {
    return new RegExp(source, 'u')
  } catch {
    throw new Unsupported(`pattern ${source}`)
  }
}

function emitFormat(
  schema: Record<string, unknown>,
  kind: 'number' | 'string',
  value: Target['value'],
  { writer, reject }: Block,
): void {
  const { format } = schema
  if (format === undefined) return
  const test = typeof format === 'string' ? formatTest(format) : undefined
  if (test === undefined) throw new Unsupported('format')
  if (test.kind !== kind) return
  const checker = { kind: 'call', name: 'formatChecker', args: [format], value: test.test } as const
  const call = test.test instanceof RegExp ? code`.test` : code``
  writer.line(code`if (!${writer.bind(checker, 'format')}${call}(${value})) ${reject}`)
}
