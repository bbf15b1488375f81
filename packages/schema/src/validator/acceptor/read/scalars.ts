import { typesOf } from '../../../document/json-types.ts'
import type { SchemaLocation } from '../../../document/location.ts'
import { compileExpression, type Expression } from '../../../regexp/compile.ts'
import { formatTest } from '../../../runtime/formats.ts'
import type { Group, NumberTest, StringTest, TestNode } from '../ir.ts'
import type { Reader } from './reader.ts'
import { Unsupported } from './unsupported.ts'

type Schema = Record<string, unknown>

const NUMBER_LIMITS = ['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'multipleOf'] as const
const STRING_LIMITS = ['maxLength', 'minLength', 'pattern'] as const

/** Reads the keywords about numbers. */
export function readNumber(_reader: Reader, _location: SchemaLocation, schema: Schema): TestNode[] {
  const test: NumberTest = {
    kind: 'number',
    defersInfinity: typesOf(schema).length !== 1,
    maximum: numberOf(schema, 'maximum'),
    minimum: numberOf(schema, 'minimum'),
    exclusiveMaximum: numberOf(schema, 'exclusiveMaximum'),
    exclusiveMinimum: numberOf(schema, 'exclusiveMinimum'),
    multipleOf: numberOf(schema, 'multipleOf'),
  }
  const isNeeded = test.defersInfinity || NUMBER_LIMITS.some((limit) => test[limit] !== undefined)
  return [...(isNeeded ? [test] : []), ...readFormat(schema, 'number')]
}

/** Reads the keywords about strings. */
export function readString(_reader: Reader, _location: SchemaLocation, schema: Schema): TestNode[] {
  const { pattern } = schema
  const test: StringTest = {
    kind: 'string',
    maxLength: numberOf(schema, 'maxLength'),
    minLength: numberOf(schema, 'minLength'),
    pattern: pattern === undefined ? undefined : patternOf(pattern),
  }
  const isNeeded = STRING_LIMITS.some((limit) => test[limit] !== undefined)
  return [...(isNeeded ? [test] : []), ...readFormat(schema, 'string')]
}

/** Compiles a regular expression as Ajv does. */
export function patternOf(source: unknown): Expression {
  if (typeof source !== 'string') throw new Unsupported('pattern')
  try {
    return compileExpression(source, 'u')
  } catch {
    throw new Unsupported(`pattern ${source}`)
  }
}

function numberOf(schema: Schema, keyword: string): number | undefined {
  const value = schema[keyword]
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Unsupported(keyword)
  return value
}

function readFormat(schema: Schema, group: Group): TestNode[] {
  const { format } = schema
  if (format === undefined) return []
  const test = typeof format === 'string' ? formatTest(format) : undefined
  if (test === undefined) throw new Unsupported('format')
  if (test.kind !== group) return []
  return [
    { kind: 'format', checker: { kind: 'call', name: 'formatChecker', args: [format], value: test.test } },
  ]
}
