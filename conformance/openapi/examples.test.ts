// The examples of the repository: their documents are valid, and they do what these say.
import { openApiDocument } from '@cloister/openapi'
import { checkContract } from '@cloister/openapi/contract'
import { describe, expect, it } from 'vitest'
import { createApp as createBookshelf } from '../../examples/bookshelf/src/app.ts'
import { createApp as createMinimal } from '../../examples/minimal/src/app.ts'
import { createApp as createForRuntimes } from '../../examples/runtimes/src/app.ts'
import { errorsOf } from '../../packages/openapi/test/validators.ts'

const adminKey = 'a-key-for-the-tests'

const EXAMPLES = [
  ['bookshelf', () => createBookshelf({ databaseFile: ':memory:', adminKey, logLevel: 'silent' }), 12],
  ['minimal', () => createMinimal(), 1],
  ['runtimes', () => createForRuntimes(), 3],
] as const

describe.each(EXAMPLES)('the example %s', (_, create, operations) => {
  it('has a valid document, in both versions of OpenAPI', async () => {
    const app = create()
    await app.ready()
    expect(await errorsOf(openApiDocument(app))).toEqual([])
    expect(await errorsOf(openApiDocument(app, { version: '3.0' }))).toEqual([])
    await app.close()
  })

  it('does what its document says', async () => {
    const app = create()
    const headers = { authorization: `Bearer ${adminKey}` }
    const report = await checkContract(app, { seed: 1, headers }).catch((error: unknown) => String(error))
    expect(report).toMatchObject({ operations, problems: [] })
    await app.close()
  })
})
