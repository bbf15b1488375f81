// The AsyncAPI document of an app: its messages as channels and operations.
import { createRequire } from 'node:module'
import { asyncApiDocument, secures } from '@cloister/openapi'
import type { AsyncApiDocument, DocumentOptions } from '@cloister/openapi'
import { publishes, subscribes } from '@cloister/state/topics'
import { websocket } from '@cloister/websocket'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { cloister } from 'cloister'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { connect } from '../../../conformance/sockets/client.ts'
import { DocumentSchemas } from '../src/contract/schemas.ts'
import { ValueMaker } from '../src/contract/values.ts'
import { topicsApp } from './topics-app.ts'

const require = createRequire(import.meta.url)
const specification: object = require('@asyncapi/specs/schemas/3.0.0.json')
const validate = new Ajv({
  strict: false,
  validateSchema: false,
  validateFormats: false,
  meta: false,
}).compile(specification)

/** Returns what the schema of the specification refuses in a document, and references that lead nowhere. */
function errorsOf(document: AsyncApiDocument): unknown[] {
  validate(document)
  const lost = refsIn(document).filter((ref) => targetOf(document, ref) === undefined)
  return [...(validate.errors ?? []), ...lost]
}

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const ref: unknown = Reflect.get(value, '$ref')
  return [...(typeof ref === 'string' ? [ref] : []), ...Object.values(value).flatMap(refsIn)]
}

function targetOf(document: object, ref: string): unknown {
  const keys = ref.slice(2).split('/')
  return keys.reduce<unknown>((found, key) => Reflect.get(Object(found), key), document)
}

/** Follows a reference to a message in a channel, and returns the pointer to its payload. */
function payloadOf(document: AsyncApiDocument, operation: string, index = 0): string {
  const { messages } = document.operations[operation] ?? {}
  const ref: unknown = Reflect.get(Object(Reflect.get(Object(messages), index)), '$ref')
  const target = targetOf(document, String(ref))
  return `${String(Reflect.get(Object(target), '$ref')).slice(1)}/payload`
}

/** Values that match a payload in the document, by a validator of draft-07, and ones that don't. */
function drawn(document: AsyncApiDocument, pointer: string) {
  const ajv = new Ajv({ strict: false, validateSchema: false })
  formats.default(ajv)
  ajv.addSchema({ ...document, $id: 'asyncapi' })
  const matches = ajv.compile({ $ref: `asyncapi#${pointer}` })
  const made = new ValueMaker(new DocumentSchemas(document as never)).valuesAt(pointer)
  const values = fc.oneof(made, fc.jsonValue())
  return { values, matches: (value: unknown) => matches(value) }
}

async function documentOf(
  fill: (app: SocketApp) => void,
  options?: DocumentOptions,
): Promise<AsyncApiDocument> {
  const app = await cloister().register(websocket)
  fill(app)
  await app.ready()
  const document = asyncApiDocument(app, options)
  expect(errorsOf(document)).toEqual([])
  expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  return document
}

interface SocketApp {
  addHook(name: string, hook: unknown): unknown
  addHttpMethod(name: string): unknown
  ws(url: string, options: object, handler: () => Promise<void>): unknown
  route(options: object): unknown
}

const socketOf = (schema: object) => (app: SocketApp) => app.ws('/chat', { schema }, async () => {})
const ref = ($ref: string): object => ({ $ref })

describe('the document of an app with topics', () => {
  it('has its streams, sockets and publishing requests as channels that clients reach', async () => {
    const { app } = await topicsApp()
    const document = asyncApiDocument(app)
    expect(errorsOf(document)).toEqual([])
    const { channels, operations, components } = document
    expect(channels).toMatchObject({
      pricesBySymbol: {
        address: '/prices/{symbol}',
        servers: [ref('#/servers/http')],
        parameters: { symbol: {} },
        messages: {
          prices_symbol: ref('#/components/messages/prices_symbol'),
          gap: ref('#/components/messages/gap'),
        },
      },
      news: { address: '/news', messages: { news: {} } },
      live: { address: '/live', servers: [ref('#/servers/ws')], bindings: { ws: { method: 'GET' } } },
    })
    const messages = (channel: string, ...keys: string[]): object[] =>
      keys.map((key) => ref(`#/channels/${channel}/messages/${key}`))
    expect(operations).toMatchObject({
      getPricesBySymbolSend: {
        action: 'send',
        channel: ref('#/channels/pricesBySymbol'),
        messages: messages('pricesBySymbol', 'prices_symbol', 'gap'),
        'x-headers': { properties: { 'Last-Event-ID': { type: 'string' } } },
        'x-media-types': ['text/event-stream'],
        'x-subscribes': [{ topic: 'prices/:symbol' }],
      },
      postPricesBySymbolReceive: {
        action: 'receive',
        channel: ref('#/channels/pricesBySymbol'),
        messages: messages('pricesBySymbol', 'prices_symbol'),
        bindings: { http: { method: 'POST' } },
        'x-publishes': [{ topic: 'prices/:symbol' }],
      },
      getNewsSend: {
        messages: messages('news', 'news'),
        bindings: { http: { query: { properties: { limit: { type: 'integer' } } } } },
      },
      getLiveSend: { action: 'send', messages: messages('live', 'prices_symbol', 'news') },
      getLiveReceive: { action: 'receive', messages: messages('live', 'prices_symbol') },
    })
    expect(Object.keys(operations)).toHaveLength(5)
    expect(operations['getLiveReceive']).not.toHaveProperty('x-subscribes')
    expect(components).toMatchObject({
      messages: {
        prices_symbol: {
          name: 'prices/:symbol',
          contentType: 'application/json',
          payload: ref('#/components/schemas/price'),
          'x-topic': { topic: 'prices/:symbol', parameters: ['symbol'], keep: { count: 10, ms: 60_000 } },
        },
      },
    })
    expect(Object.keys(components?.['schemas'] ?? {})).toEqual(['price'])
  })

  it('has payloads that the app takes, and sends none that they refuse', async () => {
    const { app, prices, news } = await topicsApp()
    const document = asyncApiDocument(app)
    const origin = await app.listen({ port: 0 })
    const client = await connect(origin, '/live')
    const { values, matches } = drawn(document, payloadOf(document, 'getLiveReceive'))
    const seen = { sent: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const published = prices.publish({ symbol: 'x' }, value)
        if (!matches(value)) {
          seen.refused++
          await expect(published).rejects.toMatchObject({ code: 'CLO_ERR_TOPIC_PAYLOAD' })
          return
        }
        seen.sent++
        await published
        client.send(value)
        expect(matches(await client.next())).toBe(true)
        const { statusCode } = await app.inject({
          method: 'POST',
          url: '/prices/x',
          payload: JSON.stringify(value),
          headers: { 'content-type': 'application/json' },
        })
        expect(statusCode).toBe(200)
      }),
      { numRuns: 200, seed: 1 },
    )
    expect(Math.min(seen.sent, seen.refused)).toBeGreaterThan(20)
    const sent = prices.subscribe({ symbol: 'x' }, { from: 'oldest' })
    for (let count = 0; count < 10; count++) {
      const { value } = await sent.next()
      expect(value?.event).toBe('message')
      expect(matches(value?.data)).toBe(true)
    }
    await news.publish({}, 'tea')
    const lines = await app.inject('/news')
    const item = drawn(document, payloadOf(document, 'getNewsSend'))
    expect(item.matches(JSON.parse(lines.body))).toBe(true)
    expect(item.matches(5)).toBe(false)
    await app.close()
  })
})

describe('the document of an app', () => {
  it('with hard schemas is valid, and its references lead to what they mean', async () => {
    const app = await cloister().register(websocket)
    const node = { type: 'object', properties: { next: { $ref: 'node#' }, tag: { $ref: 'tag#' } } }
    for (const type of ['string', 'integer']) {
      app.register(
        async (child) => {
          child.addSchema({ $id: 'tag', type })
          child.addSchema({ $id: 'node', ...node, nullable: true })
          child.addSchema({
            $id: 'https://a.example/lists.json',
            definitions: { pair: { items: [{ type }, {}] } },
          })
          const incoming: object = { $ref: 'https://a.example/lists.json#/definitions/pair' }
          const outgoing: object = { $ref: 'node#' }
          child.ws('/nodes', { schema: { incoming, outgoing } }, async () => {})
        },
        { prefix: `/${type}` },
      )
    }
    await app.ready()
    const document = asyncApiDocument(app)
    expect(errorsOf(document)).toEqual([])
    for (const [channel, tag, other] of [
      ['getStringNodes', 'a', 1],
      ['getIntegerNodes', 1, 'a'],
    ] as const) {
      const sent = drawn(document, payloadOf(document, `${channel}Send`)).matches
      expect([sent({ next: { tag } }), sent({ next: null }), sent({ next: { tag: other } })]).toEqual([
        true,
        true,
        false,
      ])
      const received = drawn(document, payloadOf(document, `${channel}Receive`)).matches
      expect([received([tag, 0]), received([other, 0])]).toEqual([true, false])
    }
  })

  it('without messages has no channels, servers and components', async () => {
    const app = cloister()
    app.post('/', { schema: { body: { type: 'object' }, response: { 200: { type: 'string' } } } }, () => 'ok')
    await app.ready()
    const info = { title: 'API', version: '0.0.0' }
    const empty = {
      asyncapi: '3.0.0',
      info,
      defaultContentType: 'application/json',
      channels: {},
      operations: {},
    }
    expect(asyncApiDocument(app)).toEqual(empty)
  })

  it('has the fields of info that the specification knows', async () => {
    const license = { name: 'MIT', identifier: 'MIT' }
    const { info } = await documentOf(() => {}, {
      info: { title: 'A', version: '1', summary: 'No', license },
    })
    expect(info).toEqual({ title: 'A', version: '1', license: { name: 'MIT' } })
  })

  it('has the schemas of libraries, and one message for equal ones', async () => {
    const user = z.object({ name: z.string() })
    const { channels, components } = await documentOf(socketOf({ incoming: user, outgoing: user }))
    expect(Object.keys(Object(channels['chat']?.['messages']))).toEqual(['getChat'])
    expect(components?.['messages']?.['getChat']).toMatchObject({ payload: { properties: { name: {} } } })
  })

  it('has no operation for messages that a client must not send, and any payload without a schema', async () => {
    const none = await documentOf(socketOf({ incoming: false }))
    expect(Object.keys(none.operations)).toEqual(['getChatSend'])
    expect(none.components?.['messages']?.['getChat']).toMatchObject({ payload: {} })
  })

  it('has lines that clients send, bodies that are published, and methods that the binding does not know', async () => {
    const topic = { toJSON: () => ({ topic: 'a', parameters: [], keep: { count: 1, ms: 1 } }) }
    const lines = { content: { 'application/x-ndjson': { schema: { type: 'integer' } } } }
    const { operations } = await documentOf((app) => {
      app.addHttpMethod('QUERY')
      app.route({ method: 'POST', url: '/lines', schema: { body: lines }, handler: () => 'ok' })
      const published = { body: { type: 'string' }, ...publishes(topic) }
      app.route({ method: 'PUT', url: '/texts', schema: published, handler: () => 'ok' })
      const response = { 200: lines }
      app.route({ method: 'QUERY', url: '/lines', schema: { response }, handler: () => 'ok' })
    })
    expect(operations).toMatchObject({
      postLinesReceive: { 'x-media-types': ['application/x-ndjson'] },
      putTextsReceive: { bindings: { http: { method: 'PUT' } } },
      queryLinesSend: { channel: ref('#/channels/lines'), bindings: { http: { 'x-method': 'QUERY' } } },
    })
  })

  it('has no gap for events without a topic', async () => {
    const response = { 200: { content: { 'text/event-stream': { schema: { type: 'string' } } } } }
    const { components } = await documentOf((app) =>
      app.route({ method: 'GET', url: '/', schema: { response }, async *handler() {} }),
    )
    expect(Object.keys(components?.['messages'] ?? {})).toEqual(['getRoot'])
  })

  it('names topics apart whose names differ in their signs', async () => {
    const topicOf = (name: string) => ({ schema: { const: name }, toJSON: () => ({ topic: name }) })
    const [one, other] = [topicOf('a/:b'), topicOf('a_b')]
    const schema = { incoming: false, outgoing: { oneOf: [one.schema, other.schema] } }
    const { components } = await documentOf(
      socketOf({ ...schema, ...subscribes(one as never, other as never) }),
    )
    expect(components?.['messages']).toMatchObject({ a_b: { name: 'a/:b' }, a_b_2: { name: 'a_b' } })
  })

  it('names no topic for a schema that two topics of the route have', async () => {
    const schema = { type: 'integer' }
    const topicOf = (name: string) => ({ schema, toJSON: () => ({ topic: name }) }) as never
    const both = { outgoing: schema, incoming: false, ...subscribes(topicOf('a'), topicOf('b')) }
    const { components, operations } = await documentOf(socketOf(both))
    expect(components?.['messages']?.['getChat']).not.toHaveProperty('name')
    expect(operations['getChatSend']).toMatchObject({ 'x-subscribes': [{ topic: 'a' }, { topic: 'b' }] })
  })
})

describe('servers', () => {
  it.each([
    [undefined, { ws: { host: '{host}', protocol: 'ws', variables: { host: {} } } }],
    [[{ url: 'https://a.example' }], { ws: { host: 'a.example', protocol: 'wss' } }],
    [
      [{ url: 'http://a.example:8080/v1' }],
      { ws: { host: 'a.example:8080', protocol: 'ws', pathname: '/v1' } },
    ],
    [[{ url: '/v1', description: 'here' }], { ws: { host: '{host}', pathname: '/v1', description: 'here' } }],
    [
      [{ url: 'https://{region}.example', variables: { region: { default: 'eu' } } }, { url: '/' }],
      {
        ws: { host: '{region}.example', variables: { region: { default: 'eu' } } },
        ws_2: { host: '{host}' },
      },
    ],
  ])('of %j', async (servers, expected) => {
    const { servers: written, channels } = await documentOf(
      socketOf({}),
      servers === undefined ? {} : { servers },
    )
    expect(written).toMatchObject(expected)
    expect(channels['chat']).toMatchObject({
      servers: Object.keys(expected).map((name) => ref(`#/servers/${name}`)),
    })
  })
})

describe('security', () => {
  const flows = { clientCredentials: { tokenUrl: 'https://a.example', scopes: { read: 'Reads' } } }
  it.each([
    [
      { type: 'apiKey', in: 'header', name: 'x-key' },
      { type: 'httpApiKey', in: 'header', name: 'x-key' },
    ],
    [
      { type: 'http', scheme: 'bearer' },
      { type: 'http', scheme: 'bearer' },
    ],
    [{ type: 'mutualTLS' }, { type: 'X509' }],
  ] as const)('%j is a scheme of AsyncAPI', async (scheme, expected) => {
    const { operations, components } = await documentOf((app) => {
      app.addHook(
        'onRequest',
        secures({ key: scheme }, async () => {}),
      )
      socketOf({ incoming: false })(app)
    })
    expect(operations['getChatSend']).toMatchObject({ security: [ref('#/components/securitySchemes/key')] })
    expect(components?.['securitySchemes']).toEqual({ key: expected })
  })

  it('has the scopes of an operation; several schemes at once stay as they are', async () => {
    const schemes = {
      oauth: { type: 'oauth2', flows },
      key: { type: 'apiKey', in: 'header', name: 'k' },
    } as const
    const operationWith = async (security: readonly Readonly<Record<string, readonly string[]>>[]) => {
      const options = { components: { securitySchemes: schemes }, security }
      return (await documentOf(socketOf({ incoming: false }), options)).operations['getChatSend']
    }
    expect(await operationWith([{ oauth: ['read'] }])).toMatchObject({
      security: [
        {
          type: 'oauth2',
          scopes: ['read'],
          flows: { clientCredentials: { availableScopes: { read: 'Reads' } } },
        },
      ],
    })
    expect(await operationWith([{ oauth: ['read'], key: [] }])).toMatchObject({
      'x-security': [{ oauth: ['read'], key: [] }],
    })
  })
})

describe('payloads', () => {
  const text = { type: 'string' }
  const dialect = { $schema: 'https://json-schema.org/draft/2020-12/schema' }
  it.each<[string, object, unknown, unknown]>([
    ['prefixItems', { prefixItems: [text], items: false }, ['a'], ['a', 'b']],
    ['prefixItems with items', { prefixItems: [text], items: { type: 'null' } }, ['a', null], ['a', 'b']],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }, { a: 1, b: 1 }, { a: 1 }],
    ['dependentSchemas', { dependentSchemas: { a: { required: ['b'] } } }, { a: 1, b: 1 }, { a: 1 }],
    [
      'both',
      { dependentRequired: { a: ['b'] }, dependentSchemas: { a: { required: ['c'] } } },
      { a: 1, b: 1, c: 1 },
      { a: 1, b: 1 },
    ],
    ['a keyword beside $ref', { $ref: '#/$defs/t', maxLength: 1, $defs: { t: text } }, 'a', 'ab'],
    ['contains', { contains: text }, ['a'], [1]],
    [
      'inner schemas',
      { properties: { p: { items: { prefixItems: [text] } } } },
      { p: [['a']] },
      { p: [[1]] },
    ],
  ])('with %s say the same in draft-07', async (_name, schema, good, bad) => {
    const document = await documentOf(socketOf({ incoming: { ...dialect, ...schema }, outgoing: false }))
    const { matches } = drawn(document, payloadOf(document, 'getChatReceive'))
    expect([matches(good), matches(bad)]).toEqual([true, false])
  })

  it.each<[string, object, unknown]>([
    ['maxContains', { contains: text, maxContains: 1 }, ['a']],
    [
      'unevaluatedProperties',
      { properties: { a: {} }, allOf: [{ properties: { b: {} } }], unevaluatedProperties: false },
      { b: 1 },
    ],
    [
      'a discriminator',
      {
        type: 'object',
        discriminator: { propertyName: 'kind' },
        required: ['kind'],
        oneOf: [{ properties: { kind: { const: 'a' } } }],
      },
      { kind: 'a' },
    ],
  ])('with %s take what the app takes', async (_name, schema, good) => {
    const document = await documentOf(socketOf({ incoming: { ...dialect, ...schema }, outgoing: false }))
    expect(drawn(document, payloadOf(document, 'getChatReceive')).matches(good)).toBe(true)
  })
})
