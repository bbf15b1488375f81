import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { createSchemaEngine } from '../src/index.ts'

/** Names of the given packages that have been loaded in this process. */
function loaded(...packages: string[]): string[] {
  const files = Object.keys(createRequire(import.meta.url).cache)
  return packages.filter((name) => files.some((file) => file.includes(`/node_modules/${name}/`)))
}

it('loads Ajv, its formats and the URI parser only when something needs them', () => {
  const engine = createSchemaEngine({ schemaCompilation: 'eager' })
  const store = engine.createStore()
  store.add({ $id: 'shared', type: 'integer' })
  const schema = {
    type: 'object',
    properties: { a: { $ref: 'shared#' }, b: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
  }
  const validate = engine.compileValidator({ schema, httpPart: 'body', store })
  const serialize = engine.compileSerializer({ schema, store })
  expect(validate({ a: '1', b: 'x' })).toBe(true)
  expect(serialize({ a: 1, b: 'x' })).toBe('{"a":1,"b":"x"}')
  expect(() => engine.compileValidator({ schema: { type: 'text' }, httpPart: 'body', store })).toThrow(
    '"type" must be',
  )
  expect(loaded('ajv', 'ajv-formats', 'fast-uri')).toEqual([])

  const dated = engine.compileValidator({
    schema: { type: 'string', format: 'date' },
    httpPart: 'body',
    store,
  })
  expect(dated('2024-02-29')).toBe(true)
  expect(loaded('ajv', 'ajv-formats', 'fast-uri')).toEqual(['ajv-formats'])

  expect(validate({ a: 'x' })).toBe(false)
  expect(validate.errors).toMatchObject([{ instancePath: '/a', schemaPath: 'shared#/type' }])
  expect(dated('2024-02-30')).toBe(false)
  expect(loaded('ajv')).toEqual([])

  const limited = engine.compileValidator({
    schema: { type: 'string', format: 'date', formatMinimum: '2024-01-01' },
    httpPart: 'body',
    store,
  })
  expect([limited('2023-12-31'), limited('2024-01-01')]).toEqual([false, true])
  expect(loaded('ajv')).toEqual(['ajv'])
})
