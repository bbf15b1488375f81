// Changes of topics and WebSockets, between documents of apps.
import { openApiDocument } from '@cloister/openapi'
import { memoryState } from '@cloister/state'
import { publishes, subscribes, topics } from '@cloister/state/topics'
import { websocket } from '@cloister/websocket'
import { cloister } from 'cloister'
import { expect, it } from 'vitest'
import { compareDocuments } from '../../src/diff/compare-documents.ts'
import type { DocumentSource } from '../../src/diff/compare-documents.ts'
import { isObject } from '../../src/diff/json.ts'

const bid = { type: 'object', required: ['bid'], properties: { bid: { type: 'number' } } }
const STANDARD = {
  name: 'prices/:symbol',
  schema: bid as object,
  keep: { count: 10, ms: 1000 },
  isTold: true,
}

/** An app that sends and takes the messages of a topic in each way. */
async function sourceOf(changes: Partial<typeof STANDARD> = {}): Promise<DocumentSource> {
  const { name, schema, keep, isTold } = { ...STANDARD, ...changes }
  const app = await cloister().register(websocket).register(topics, { state: memoryState() })
  const topic = app.topic(name, { schema, keep })
  const [sent, taken] = isTold ? [subscribes(topic), publishes(topic)] : [{}, {}]
  const response = { 200: { content: { 'text/event-stream': { schema: topic.schema } } } }
  app.get('/events', { schema: { response, ...sent } }, async function* () {})
  app.post('/events', { schema: { body: topic.schema, ...taken } }, () => 'ok')
  app.ws('/live', { schema: { incoming: topic.schema, outgoing: topic.schema } }, async () => {})
  await app.ready()
  const document: unknown = JSON.parse(JSON.stringify(openApiDocument(app)))
  return { document: isObject(document) ? document : {}, callSites: new Map() }
}

async function changesOf(
  before: Partial<typeof STANDARD>,
  after: Partial<typeof STANDARD>,
): Promise<string[]> {
  const found = compareDocuments(await sourceOf(before), await sourceOf(after))
  return found.map(
    ({ level, operation, where, check }) => `${operation} ${where} ${check}${level === 'error' ? '' : '?'}`,
  )
}

const ofBoth = (what: string): string[] => [`GET /events ${what}`, `POST /events ${what}`]

it('a topic that did not change, is kept for longer, or is new breaks no client', async () => {
  expect(await changesOf({}, {})).toEqual([])
  expect(await changesOf({}, { keep: { count: 11, ms: 2000 } })).toEqual([])
  expect(await changesOf({ isTold: false }, {})).toEqual([])
})

it('a topic that is gone, or has another name, breaks who subscribes and who publishes', async () => {
  const gone = ofBoth('topic prices/:symbol topic-removed')
  const replay = 'GET /events header parameter Last-Event-ID request-parameter-removed?'
  expect(await changesOf({}, { isTold: false })).toEqual([replay, ...gone])
  expect(await changesOf({}, { name: 'offers/:symbol' })).toEqual(gone)
})

it('a parameter that is added, removed or renamed breaks them', async () => {
  const added = 'topic prices/:symbol topic-parameter-added'
  const removed = 'topic prices/:symbol topic-parameter-removed'
  expect(await changesOf({}, { name: 'prices/:symbol/:venue' })).toEqual(ofBoth(added))
  expect(await changesOf({}, { name: 'prices' })).toEqual(ofBoth(removed))
  expect(await changesOf({}, { name: 'prices/:code' })).toEqual(
    ['GET', 'POST'].flatMap((method) => [removed, added].map((what) => `${method} /events ${what}`)),
  )
})

it('a shorter replay is a warning', async () => {
  const warned = ofBoth('topic prices/:symbol topic-replay-narrowed?')
  expect(await changesOf({}, { keep: { count: 9, ms: 1000 } })).toEqual(warned)
  expect(await changesOf({}, { keep: { count: 10, ms: 999 } })).toEqual(warned)
})

it('a payload that may have more breaks subscribers, and one that may have less breaks publishers', async () => {
  const text = { ...bid, properties: { bid: { type: ['number', 'string'] } } }
  expect(await changesOf({}, { schema: text })).toEqual([
    'GET /events response 200 text/event-stream/bid response-type-widened',
    'GET /live outgoing message/bid response-type-widened',
  ])
  expect(await changesOf({ schema: text }, {})).toEqual([
    'POST /events request body application/json/bid request-type-narrowed',
    'GET /live incoming message/bid request-type-narrowed',
  ])
  expect(await changesOf({}, { schema: { ...bid, required: [] } })).toEqual([
    'GET /events response 200 text/event-stream response-required-widened',
    'GET /live outgoing message response-required-widened',
  ])
})
