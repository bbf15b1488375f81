/** Inputs on which fast-json-stringify returns a wrong text without an error; and what Cloister returns. */
import { createSerializer } from '@cloister/schema/serializer'
import build7 from 'fast-json-stringify'
import build5 from 'fast-json-stringify5'
import { formatTable } from '../support/table.ts'

interface WrongInput {
  readonly title: string
  readonly schema: object
  readonly value: () => unknown
}

const text = { type: 'string' }
const integer = { type: 'integer' }
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more })

class Account {
  id = 1
  get secret(): string {
    return 'from the prototype'
  }
}

const inputs: readonly WrongInput[] = [
  { title: 'undefined in an untyped list', schema: { type: 'array' }, value: () => [1, undefined, 2] },
  { title: 'function in an untyped property', schema: object({ a: {} }), value: () => ({ a: () => 1 }) },
  {
    title: 'toJSON that gives undefined',
    schema: object({ a: {} }),
    value: () => ({ a: { toJSON: () => undefined } }),
  },
  { title: 'property named constructor, absent', schema: object({ constructor: text }), value: () => ({}) },
  { title: 'property named toString, absent', schema: object({ toString: text }), value: () => ({}) },
  {
    title: 'getter of the prototype',
    schema: object({ id: integer, secret: text }),
    value: () => new Account(),
  },
  { title: 'function in a string field', schema: object({ a: text }), value: () => ({ a: () => 'source' }) },
  { title: 'plain object in a string field', schema: object({ a: text }), value: () => ({ a: { b: 1 } }) },
  { title: "'false' in a boolean field", schema: { type: 'boolean' }, value: () => 'false' },
  { title: 'new Boolean(false)', schema: { type: 'boolean' }, value: () => Object(false) },
  { title: 'property with schema false', schema: object({ a: false }), value: () => ({ a: 'hidden' }) },
  {
    title: 'string in an object field',
    schema: object({ a: object({ b: text }) }),
    value: () => ({ a: 'lost' }),
  },
  { title: 'bigint in a number field', schema: { type: 'number' }, value: () => 2n ** 60n + 1n },
  {
    title: 'toJSON of an array',
    schema: { type: 'array', items: integer },
    value: () => Object.assign([1, 2], { toJSON: () => [3] }),
  },
  {
    title: 'union, value fits the second branch',
    schema: { anyOf: [object({ a: text }), object({ b: text })] },
    value: () => ({ b: 'x' }),
  },
  { title: 'text with a quote, format unsafe', schema: { ...text, format: 'unsafe' }, value: () => 'a"b' },
  { title: 'text with a quote, format date (5.x)', schema: { ...text, format: 'date' }, value: () => 'a"b' },
  { title: 'default that is a function', schema: object({ a: { default: () => 1 } }), value: () => ({}) },
]

/** Prints the table. */
export function printWrongInputs(): void {
  const rows = inputs.map(({ title, schema, value }) => [
    title,
    response(() => build5(structuredCloneSchema(schema))(value())),
    response(() => build7(structuredCloneSchema(schema))(value())),
    response(() => createSerializer(schema, { mode: 'compat' })(value())),
    response(() => createSerializer(schema, { mode: 'strict' })(value())),
  ])
  console.log(
    formatTable(
      [
        'input',
        'fast-json-stringify 5.16',
        'fast-json-stringify 7.3',
        'Cloister, compat',
        'Cloister, strict',
      ],
      rows,
    ),
  )
}

/** The peers write into the schemas they are given; functions cannot be cloned. */
function structuredCloneSchema(schema: object): object {
  try {
    return structuredClone(schema)
  } catch {
    return schema
  }
}

function response(run: () => unknown): string {
  try {
    const written = String(run())
    return isJson(written) ? written : `${written} (no JSON)`
  } catch (error) {
    return `error: ${error instanceof Error ? error.message : String(error)}`
  }
}

function isJson(written: string): boolean {
  try {
    JSON.parse(written)
    return true
  } catch {
    return false
  }
}
