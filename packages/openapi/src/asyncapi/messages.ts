import type { Documented } from '../document/create-document.ts'
import { topicNames } from '../document/topics.ts'
import { streamOf } from '../document/version-3-2.ts'
import { entriesOf, isRecord } from '../guards.ts'
import { inDraft07 } from './draft-07.ts'

type Fields = Readonly<Record<string, unknown>>

/** A message that a route sends or receives. */
export interface Carried {
  /** From the view of the app. */
  readonly action: 'send' | 'receive'
  readonly message: Fields
  /** The media type of the stream that it is an item of. */
  readonly stream: string | null
}

/** A place of a route that has messages. */
interface Part {
  readonly action: Carried['action']
  readonly type: string
  /** the schema in the document */
  readonly schema: unknown
  /** the schema as the route has it */
  readonly own: unknown
}

const JSON_TYPE = 'application/json'
/** A message without a payload has `null`. */
const GAP = {
  name: 'gap',
  summary: 'Messages may be missing: read the current state anew',
  payload: { type: 'null' },
}

/** Returns the messages of a route: those of a socket, items of streams, and bodies that are published. */
export function messagesOf({ route, operation }: Documented): Carried[] {
  const { written } = route
  const carried = partsOf({ route, operation }).flatMap(branchesOf).filter(isPossible)
  const messages = carried.map(({ action, type, schema, own }): Carried => {
    const topic = topicWith(own, [written['x-subscribes'], written['x-publishes']].flat())
    const isItem = streamOf(type) !== null
    const message = { contentType: isItem ? JSON_TYPE : type, payload: inDraft07(schema) }
    const named = topic === null ? message : { name: topic['topic'], ...message, 'x-topic': topic }
    return { action, message: named, stream: isItem ? type : null }
  })
  const isReplayed = topicNames(operation['x-subscribes']).length > 0
  const events = messages.find(({ stream }) => isReplayed && stream !== null && streamOf(stream) === 'events')
  return events === undefined ? messages : [...messages, { ...events, message: GAP }]
}

function partsOf({ route, operation }: Pick<Documented, 'route' | 'operation'>): Part[] {
  const { written, messages } = route
  const socket = operation['x-websocket']
  const part = (action: Part['action'], type: string, schema: unknown, own: unknown): Part => ({
    action,
    type,
    schema: schema ?? {},
    own,
  })
  if (isRecord(socket)) {
    const { outgoing, incoming } = socket
    return [
      part('send', JSON_TYPE, outgoing, written['outgoing']),
      part('receive', JSON_TYPE, incoming, written['incoming']),
    ]
  }
  if (messages !== null) return []
  const isPublished = topicNames(operation['x-publishes']).length > 0
  const sent = entriesOf(operation.responses).flatMap(([status, response]) =>
    contentOf(response)
      .filter(([type]) => streamOf(type) !== null)
      .map(([type, schema]) => part('send', type, schema, schemaOf(at(written['response'], status), type))),
  )
  const received = contentOf(operation.requestBody)
    .filter(([type]) => isPublished || streamOf(type) !== null)
    .map(([type, schema]) => part('receive', type, schema, schemaOf(written['body'], type)))
  return [...sent, ...received]
}

/** A union is several messages. */
function branchesOf(part: Part): Part[] {
  const { schema, own } = part
  const [keyword = '', ...others] = isRecord(schema) ? Object.keys(schema) : []
  const branches = at(schema, keyword)
  if (!/^(?:anyOf|oneOf)$/.test(keyword) || others.length > 0 || !Array.isArray(branches)) return [part]
  return branches.map((branch: unknown, index) => ({
    ...part,
    schema: branch,
    own: at(at(own, keyword), index),
  }))
}

/** Whether there is such a message: `incoming: false` is `{ not: {} }`. */
function isPossible({ schema }: Part): boolean {
  const not = at(schema, 'not')
  return !isRecord(not) || Object.keys(not).length > 0
}

function at(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function contentOf(holder: unknown): [type: string, schema: unknown][] {
  return entriesOf(at(holder, 'content')).map(([type, media]) => [type, at(media, 'schema')])
}

/** Returns the schema that a part of a route has for a media type. */
function schemaOf(part: unknown, type: string): unknown {
  const content = at(part, 'content')
  return content === undefined ? part : at(at(content, type), 'schema')
}

/** Returns the topic that has this very schema; `null` if none or several have it. */
function topicWith(schema: unknown, topics: readonly unknown[]): Fields | null {
  const found = topics.filter((one) => schema !== undefined && at(one, 'schema') === schema)
  const described: unknown = new Set(found).size === 1 ? JSON.parse(JSON.stringify(found[0])) : null
  return isRecord(described) ? described : null
}
