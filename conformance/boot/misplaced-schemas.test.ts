// Schemas that are somewhere else than the framework reads them, or that check nothing there.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { App } from '../harness/app-shape.ts'
import { tick } from '../harness/time.ts'
import { ours, useApps } from '../harness/transports.ts'

const ID = { type: 'object', properties: { id: { type: 'integer' } } }
const SILENT = 'the peers say nothing'

describe('boot: misplaced schemas', () => {
  const createApp = useApps()
  const heard: { readonly code?: string; readonly message: string }[] = []
  const hear = (warning: Error): void => void heard.push(warning)

  beforeAll(() => void process.on('warning', hear))
  afterEach(() => void (heard.length = 0))
  afterAll(() => void process.off('warning', hear))

  /** Defines routes, and returns the warnings with a code. */
  async function warningsOf(
    code: string,
    define: (app: App) => unknown,
    options: Record<string, unknown> = {},
  ): Promise<string[]> {
    const app = createApp(options)
    define(app)
    await app.ready()
    await tick()
    return heard.filter((warning) => warning.code === code).map(({ message }) => message)
  }

  ours(SILENT)('warn of parts under the names of other formats', async () => {
    const messages = await warningsOf('CLO_WRN_PART_UNREAD', (app) => {
      app.post(
        '/a',
        { schema: { requestBody: { content: { 'application/json': { schema: ID } } } } },
        () => 'x',
      )
      app.post('/b', { schema: { payload: ID } }, () => 'x')
      app.get('/c/:id', { schema: { path: ID, parameters: [] } }, () => 'x')
      app.post('/d', { schema: { requestBody: {}, body: ID, tags: ['d'], security: [{}] } }, () => 'x')
    })
    expect(messages).toHaveLength(4)
    expect(messages[0]).toMatch(
      /POST:\/a has 'schema\.requestBody', .* write 'schema\.body' .*misplaced-schemas/,
    )
    expect(messages[1]).toMatch(/POST:\/b has 'schema\.payload'/)
    expect(messages[2]).toMatch(/GET:\/c\/:id has 'schema\.path', .* write 'schema\.params'/)
    expect(messages[3]).toMatch(/GET:\/c\/:id has 'schema\.parameters'/)
  })

  ours(SILENT)('warn of a schema below the key "schema"', async () => {
    const messages = await warningsOf('CLO_WRN_SCHEMA_NESTED', (app) => {
      app.post('/a', { schema: { body: { schema: ID } } }, () => 'x')
      app.get('/b', { schema: { response: { 200: { schema: ID } } } }, () => 'x')
      app.post('/c', { schema: { body: { type: 'object', properties: { schema: ID } } } }, () => 'x')
      app.post('/d', { schema: { body: { schema: ID, name: { type: 'string' } } } }, () => 'x')
    })
    expect(messages).toHaveLength(2)
    expect(messages[0]).toMatch(/POST:\/a has 'schema\.body\.schema'/)
    expect(messages[1]).toMatch(/GET:\/b has 'schema\.response\.200\.schema'/)
  })

  ours(SILENT)('warn of keywords that check nothing beside their type', async () => {
    const define = (app: App): void => {
      const properties = { a: { type: 'string', minimum: 1 }, b: { type: ['string', 'null'], minLength: 1 } }
      app.post('/a', { schema: { body: { type: 'array', properties: ID.properties } } }, () => 'x')
      app.get('/b', { schema: { querystring: { type: 'object', properties } } }, () => 'x')
      app.get(
        '/c',
        { schema: { querystring: { type: 'object', properties: { c: { type: 'integer', minimum: 1 } } } } },
        () => 'x',
      )
      const odd = { type: 'string', items: {} }
      app.post(
        '/d',
        { schema: { body: { allOf: [{ additionalProperties: odd }, { anyOf: [odd] }] } } },
        () => 'x',
      )
    }
    const messages = await warningsOf('CLO_WRN_KEYWORD_IDLE', define)
    expect(messages).toHaveLength(3)
    expect(messages[0]).toMatch(
      /the body of the route POST \/a .*\/properties \(for type "object", beside "array"\)/,
    )
    expect(messages[1]).toMatch(
      /GET \/b .*nothing.*: \/properties\/a\/minimum \(for type "number", beside "string"\);/,
    )
    expect(messages[2]).toMatch(/POST \/d .*: \/allOf\/0\/additionalProperties\/items \(for type "array"/)
    heard.length = 0
    const options = { ajv: { customOptions: { strictTypes: false } } }
    expect(await warningsOf('CLO_WRN_KEYWORD_IDLE', define, options)).toEqual([])
  })

  ours(SILENT)('warn of parameters under another name than in the path', async () => {
    const messages = await warningsOf('CLO_WRN_PARAM_UNDECLARED', (app) => {
      app.get('/a/:userId', { schema: { params: ID } }, () => 'x')
      app.get('/b/:id/:page', { schema: { params: ID } }, () => 'x')
      app.get('/c', { schema: { params: ID } }, () => 'x')
      app.get('/d/:id(^\\d+$)', { schema: { params: ID } }, () => 'x')
    })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatch(/GET \/a\/:userId declares 'id', .* and not 'userId'/)
  })

  it.each([
    ['a description', { description: 'ok', schema: ID }],
    ['a media type', { description: 'ok', content: { 'application/json': ID } }],
  ])('refuse a response schema beside %s, which no response would be written by', async (_what, response) => {
    const app = createApp()
    const defined = async (): Promise<unknown> => {
      app.get('/', { schema: { response: { 200: response } } }, () => ({ id: 1, secret: 2 }))
      return app.ready()
    }
    await expect(defined()).rejects.toThrow(/schema/i)
  })
})
