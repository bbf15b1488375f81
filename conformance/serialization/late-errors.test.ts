// A response schema that cannot be used fails the boot, never a request.
import { describe, expect, it } from 'vitest'
import { useApps } from '../harness/transports.ts'

const names = Array.from({ length: 9 }, (_, index) => `f${index}`)
/** Nine conditions, none of which decides another: 512 outcomes. */
const CONDITIONS = {
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'boolean' }])),
  allOf: names.map((name) => ({
    if: { properties: { [name]: { const: true } }, required: [name] },
    then: { properties: { [`${name}Details`]: { type: 'string' } } },
  })),
}

describe('a response schema with too many independent conditions', () => {
  const createApp = useApps()

  it.each([
    ['as it is', CONDITIONS, []],
    ['in a property', { type: 'object', properties: { in: CONDITIONS } }, []],
    ['behind a reference', { $ref: 'shared#' }, [{ ...CONDITIONS, $id: 'shared' }]],
    [
      'behind a reference in a list',
      { type: 'array', items: { $ref: 'shared#' } },
      [{ ...CONDITIONS, $id: 'shared' }],
    ],
  ])('fails the boot with the route and the line: %s', async (_title, schema, shared) => {
    for (const options of [{}, { strict: true }, { codeGeneration: 'never' }]) {
      const app = createApp(options)
      for (const one of shared) app.addSchema(one)
      app.get('/', { schema: { response: { 200: schema } } }, () => ({}))
      await expect(app.ready()).rejects.toThrow(/independent conditions with more than 256 outcomes/)
      await expect(app.ready()).rejects.toThrow(/late-errors\.test\.ts:\d+/)
    }
  })

  it('starts with eight, and writes what they declare', async () => {
    const app = createApp()
    const schema = { ...CONDITIONS, allOf: CONDITIONS.allOf.slice(0, 8) }
    const value = { f0: true, f0Details: 'a', f7: true, f7Details: 'b' }
    app.get('/', { schema: { response: { 200: schema } } }, () => value)
    expect(JSON.parse((await app.inject('/')).payload)).toEqual(value)
  })
})

const shapeOf = (name: string): object => ({ type: 'object', properties: { [name]: {} } })
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** Schemas of `count` parts that combine to many more forms. */
const COMBINED: Readonly<Record<string, (count: number) => object>> = {
  'unions side by side': (count) => ({
    allOf: times(count, (at) => ({ anyOf: ['a', 'b', 'c'].map((name) => shapeOf(`${name}${at}`)) })),
  }),
  'unions with tags side by side': (count) => ({
    allOf: times(count, (at) => ({
      oneOf: ['a', 'b'].map((tag) => ({
        type: 'object',
        required: [`tag${at}`],
        properties: { [`tag${at}`]: { const: tag } },
      })),
    })),
  }),
  dependencies: (count) => ({
    type: 'object',
    properties: { id: {} },
    dependencies: Object.fromEntries(times(count, (at) => [`a${at}`, shapeOf(`b${at}`)])),
  }),
  dependentSchemas: (count) => ({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    dependentSchemas: Object.fromEntries(times(count, (at) => [`a${at}`, shapeOf(`b${at}`)])),
  }),
  'references that meet': (count) => ({
    $ref: '#/definitions/d0',
    definitions: Object.fromEntries(
      times(count, (at) => [
        `d${at}`,
        {
          type: 'object',
          properties: {
            a: { $ref: `#/definitions/d${(at + 1) % count}` },
            b: {
              $ref: `#/definitions/d${at}`,
              allOf: [{ $ref: `#/definitions/d${(at * 2 + 1) % count}` }],
            },
          },
        },
      ]),
    ),
  }),
}

describe('a response schema of parts that combine to many forms', () => {
  const createApp = useApps()

  it.each(Object.entries(COMBINED))('starts, or fails the boot: %s', async (_title, make) => {
    for (const options of [{}, { strict: true }, { codeGeneration: 'never' }]) {
      const ends = new Set<string>()
      for (const count of [2, 12, 40]) {
        const app = createApp(options)
        app.get('/', { schema: { response: { 200: make(count) } } }, () => ({ tag0: 'a', tag1: 'b' }))
        const message = await app.ready().then(
          () => '',
          (error: unknown) => String(error),
        )
        if (message !== '') {
          expect(message).toMatch(
            /combine to (?:too many forms of a value|a form inside more than)|more than 256 outcomes/,
          )
          expect(message).toContain('late-errors.test.ts:')
        } else expect((await app.inject('/')).statusCode).toBe(200)
        ends.add(message === '' ? 'started' : 'refused')
      }
      expect([...ends]).toEqual(['started', 'refused'])
    }
  })

  it('starts with many unions in properties, and with a union of many branches', async () => {
    const app = createApp()
    const properties = Object.fromEntries(
      times(300, (at) => [`p${at}`, { anyOf: [{ type: 'null' }, shapeOf(`a${at}`), shapeOf(`b${at}`)] }]),
    )
    const branches = times(500, (at) => ({
      type: 'object',
      required: ['tag'],
      properties: { tag: { const: at }, in: { anyOf: [shapeOf('a'), { type: 'null' }] } },
    }))
    app.get('/a', { schema: { response: { 200: { type: 'object', properties } } } }, () => ({
      p7: { b7: 1 },
    }))
    app.get('/b', { schema: { response: { 200: { oneOf: branches } } } }, () => ({ tag: 3, in: { a: 1 } }))
    expect((await app.inject('/a')).payload).toBe('{"p7":{"b7":1}}')
    expect((await app.inject('/b')).payload).toBe('{"tag":3,"in":{"a":1}}')
  })
})
