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
