import { code, nothing } from '../codegen/code.ts'
import { compileExpression } from '../regexp/compile.ts'
import { formatTest, type FormatTest } from '../runtime/formats.ts'
import { codePointLength } from '../runtime/measures.ts'
import { addTextTest, TEST, type Leaf } from '../walk/leaf.ts'
import { assertion, type Keyword } from '../walk/part.ts'
import { amount, COMPARISONS, type Bound } from './limits.ts'

/*
 * Each code point has one or two code units. Code points are counted only if the number of code units doesn't decide.
 */

/**
 * The code units per code point of the limit: with the first number the text surely matches, with the second it
 * possibly does.
 */
const UNITS = { maximum: { sure: 1, possible: 2 }, minimum: { sure: 2, possible: 1 } } as const

/** The keywords `maxLength` and `minLength`. */
function length(name: string, bound: Bound): Keyword<string> {
  const { operator, holds } = COMPARISONS[bound]
  const { sure, possible } = UNITS[bound]
  return assertion({
    ...amount(name, bound, 'characters'),
    test: (text, limit) =>
      holds(text.length, limit * sure) ||
      (holds(text.length, limit * possible) && holds(codePointLength(text), limit)),
    code: (text, limit, writer) =>
      code`${text}.length ${operator} ${limit * sure} || (${text}.length ${operator} ${limit * possible} && ${writer.use('codePointLength')}(${text}) ${operator} ${limit})`,
    narrow(leaf, limit) {
      if (typeof limit !== 'number') return false
      leaf[bound] = limit
      return isOfText(leaf)
    },
  })
}

/** Whether a leaf tests texts; makes it test their length, too. */
function isOfText(leaf: Leaf): boolean {
  if (leaf.kind === TEST.string) leaf.kind = TEST.length
  return leaf.kind === TEST.length || leaf.kind === TEST.text
}

/** The keyword `pattern`. */
const pattern: Keyword<string> = assertion({
  name: 'pattern',
  read({ schema, context }) {
    const source = schema['pattern']
    return typeof source === 'string' ? { source, expression: context.expression(source) } : undefined
  },
  test: (text, { expression }) => expression.test(text),
  params: ({ source }) => ({ pattern: source }),
  message: (params) => `must match pattern "${params.pattern}"`,
  code: (text, { expression }, writer) => writer.matches(expression, text),
  narrow(leaf, source) {
    if (typeof source !== 'string') return false
    const expression = compileExpression(source, 'u')
    return addTextTest(leaf, (text) => expression.test(text))
  },
})

/** The keyword `format` for numbers. */
export const numberFormat: Keyword<number> = format('number')

/** The keywords about texts, in Ajv's order. */
export const TEXTS: readonly Keyword<string>[] = [
  length('maxLength', 'maximum'),
  length('minLength', 'minimum'),
  pattern,
  format('string'),
]

function format<Data extends number | string>(kind: FormatTest['kind']): Keyword<Data> {
  return assertion<Data, Format, { readonly format: string }>({
    name: 'format',
    // Serializers write numbers of any format.
    read: ({ schema, context }) =>
      context.json !== undefined && kind === 'number' ? undefined : formatOf(schema['format'], kind),
    test: (data, { fits }) => fits(data),
    params: ({ name }) => ({ format: name }),
    message: (params) => `must match format "${params.format}"`,
    code: (value, { name, test }, writer) =>
      code`${writer.bind({ kind: 'call', name: 'formatChecker', args: [name], value: test }, 'format')}${test instanceof RegExp ? code`.test` : nothing}(${value})`,
    narrow(leaf, name) {
      const found = formatOf(name, 'string')
      return found !== undefined && addTextTest(leaf, found.fits)
    },
  })
}

/** A format in a schema. */
interface Format {
  readonly name: string
  readonly test: FormatTest['test']
  readonly fits: (data: number | string) => boolean
}

function formatOf(name: unknown, kind: FormatTest['kind']): Format | undefined {
  if (typeof name !== 'string') return undefined
  const found = formatTest(name)
  if (found?.kind !== kind) return undefined
  const { test } = found
  const fits =
    test instanceof RegExp
      ? (data: number | string): boolean => test.test(String(data))
      : (data: number | string): boolean => Boolean(Reflect.apply(test, undefined, [data]))
  return { name, test, fits }
}
