// The document says of bodies what the app accepts: Ajv with the dialect 2020-12 on the document, and the app itself.
import { openApiDocument } from '@cloister/openapi'
import { createSchemaEngine } from '@cloister/schema'
import type { AjvSettings } from '@cloister/schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { cloister } from 'cloister'
import { expect, it } from 'vitest'
import { randomRoot, randomValue, sharedSchemas } from '../../packages/schema/test/walk/random-schemas.ts'
import { Random } from '../../packages/schema/test/validator/random.ts'

const SCHEMAS = 200
const VALUES = 50
/** Names that parsers of JSON refuse, or that the comparison of values in Ajv cannot take. */
const LEFT_OUT = ['"__proto__"', '"constructor"', '"toString"', '"valueOf"']

/** Random schemas that the app does not refuse. */
function usable(random: Random, shared: readonly object[], ajv: AjvSettings): unknown[] {
  const engine = createSchemaEngine({ ajv })
  const store = engine.createStore()
  for (const schema of shared) store.add(schema)
  const compiles = (schema: unknown): boolean => {
    try {
      engine.compileValidator({ schema, httpPart: 'body', store })
      return true
    } catch {
      return false
    }
  }
  const found: unknown[] = []
  for (let drawn = 0; drawn < 10 * SCHEMAS && found.length < SCHEMAS; drawn += 1) {
    const schema = randomRoot(random)
    if (compiles(schema)) found.push(schema)
  }
  return found
}

interface Plain {
  addSchema(schema: object): unknown
  post(url: string, options: object, handler: () => string): unknown
}

it('agrees with the validators of the app, for random schemas with references of every kind', async () => {
  const ajvOptions = { customOptions: { coerceTypes: false, useDefaults: false, removeAdditional: false } }
  const random = new Random(Number(process.env['CLOISTER_SEED'] ?? 1))
  const shared = sharedSchemas(random)
  const app = cloister({ jsonShorthand: false, ajv: ajvOptions })
  const plain: Plain = app
  for (const schema of shared) plain.addSchema(schema)
  const roots = usable(random, shared, ajvOptions)
  expect(roots).toHaveLength(SCHEMAS)
  for (const [index, body] of roots.entries()) plain.post(`/${index}`, { schema: { body } }, () => 'ok')
  await app.ready()

  const ajv = new Ajv2020({ strict: false, logger: false })
  addFormats.default(ajv)
  ajv.addSchema({ ...openApiDocument(app) }, 'document', false, false)
  const differences: unknown[] = []
  let valid = 0
  let compared = 0
  for (const [index, root] of roots.entries()) {
    const pointer = `#/paths/~1${index}/post/requestBody/content/application~1json/schema`
    const validate = ajv.compile({ $ref: `document${pointer}` })
    let count = 0
    for (let drawn = 0; drawn < 20 * VALUES && count < VALUES; drawn += 1) {
      const value = randomValue(random, root, shared)
      const payload = JSON.stringify(value)
      if (value === null || payload === undefined || LEFT_OUT.some((name) => payload.includes(name))) continue
      const { statusCode } = await app.inject({
        method: 'POST',
        url: `/${index}`,
        headers: { 'content-type': 'application/json' },
        payload,
      })
      const sent: unknown = JSON.parse(payload)
      count += 1
      compared += 1
      if (statusCode === 200) valid += 1
      if ((statusCode === 200) !== validate(sent)) differences.push({ root, value, statusCode })
    }
  }
  expect(differences).toEqual([])
  expect(compared).toBeGreaterThan(SCHEMAS * VALUES * 0.95)
  expect(valid).toBeGreaterThan(compared / 20)
  expect(valid).toBeLessThan(compared * 0.95)
})
