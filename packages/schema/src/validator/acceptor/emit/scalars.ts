import { code } from '../../../codegen/code.ts'
import type { FormatTest, NumberTest, StringTest } from '../ir.ts'
import type { Block, Target } from './block.ts'

/** Writes limits of numbers. */
export function emitNumber(test: NumberTest, { value }: Target, { writer, reject, defer }: Block): void {
  const { maximum, minimum, exclusiveMaximum: below, exclusiveMinimum: above, multipleOf: factor } = test
  if (test.defersInfinity) writer.line(code`if (!isFinite(${value})) ${defer}`)
  if (maximum !== undefined && minimum !== undefined) {
    writer.line(code`if (!(${value} <= ${maximum} && ${value} >= ${minimum})) ${reject}`)
  } else if (maximum !== undefined) writer.line(code`if (!(${value} <= ${maximum})) ${reject}`)
  else if (minimum !== undefined) writer.line(code`if (!(${value} >= ${minimum})) ${reject}`)
  if (below !== undefined) writer.line(code`if (!(${value} < ${below})) ${reject}`)
  if (above !== undefined) writer.line(code`if (!(${value} > ${above})) ${reject}`)
  if (factor !== undefined) {
    writer.line(code`if (!${writer.use('isMultipleOf')}(${value}, ${factor})) ${reject}`)
  }
}

/** Writes limits of strings. */
export function emitString(
  { maxLength, minLength, pattern }: StringTest,
  { value }: Target,
  { writer, reject }: Block,
): void {
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
  if (pattern !== undefined) {
    const regexp = writer.bind({ kind: 'regexp', value: pattern }, 'pattern')
    writer.line(code`if (!${regexp}.test(${value})) ${reject}`)
  }
}

/** Writes the test of a format. */
export function emitFormat({ checker }: FormatTest, { value }: Target, { writer, reject }: Block): void {
  const call = checker.value instanceof RegExp ? code`.test` : code``
  writer.line(code`if (!${writer.bind(checker, 'format')}${call}(${value})) ${reject}`)
}
