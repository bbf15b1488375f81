import { expect, it } from 'vitest'
import fastify, { errorCodes } from '@cloister/fastify'
import codes from '@cloister/fastify/lib/errors'

it('lib/errors has the constructors of all coded errors', async () => {
  expect(Object.keys(codes)).toEqual(Object.keys(errorCodes))
  const { FST_ERR_SCH_ALREADY_PRESENT } = codes
  expect(FST_ERR_SCH_ALREADY_PRESENT).toBe(errorCodes.FST_ERR_SCH_ALREADY_PRESENT)
  const schema: object = { $id: 'a' }
  const app = fastify().addSchema(schema)
  expect(() => app.addSchema(schema)).toThrow(FST_ERR_SCH_ALREADY_PRESENT)
  await app.close()
})
