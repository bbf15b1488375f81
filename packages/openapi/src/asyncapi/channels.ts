import type { Documented } from '../document/create-document.ts'
import { generatedId } from '../document/operation-ids.ts'
import { defined, isRecord } from '../guards.ts'
import { Components } from '../schema/components.ts'
import type { OpenApiDocument, Parameter } from '../types.ts'
import { inDraft07 } from './draft-07.ts'
import { messagesOf, type Carried } from './messages.ts'
import { securityOf } from './security.ts'
import { serversOf, type Protocol } from './servers.ts'

type Fields = Readonly<Record<string, unknown>>

interface Channel {
  readonly fields: Fields
  readonly messages: Record<string, { readonly $ref: string }>
}

/** Methods that the HTTP binding has. */
const METHODS: ReadonlySet<string> = new Set(
  'get put post patch delete head options connect trace'.split(' '),
)
/** Where an operation names the topics of its messages. */
const TOPICS: Readonly<Record<Carried['action'], string>> = { send: 'x-subscribes', receive: 'x-publishes' }

/** Collects channels, one for each address and protocol, with what the app sends and receives there. */
export class Channels {
  readonly servers: Record<string, Fields> = {}
  readonly operations: Record<string, Fields> = {}
  readonly messages: Record<string, Fields> = {}
  readonly #byAddress = new Map<string, readonly [name: string, channel: Channel]>()
  readonly #keys = new Map<string, string>()
  readonly #names = { channels: new Components(), messages: new Components() }
  readonly #document: OpenApiDocument

  constructor(document: OpenApiDocument) {
    this.#document = document
  }

  get channels(): Record<string, Fields> {
    const all = [...this.#byAddress.values()]
    return Object.fromEntries(all.map(([name, { fields, messages }]) => [name, { ...fields, messages }]))
  }

  /** Adds the messages of an operation, if it has some. */
  add(documented: Documented): void {
    const all = messagesOf(documented)
    for (const action of ['send', 'receive'] as const) {
      const carried = all.filter((one) => one.action === action)
      if (carried.length > 0) this.#addOperation(documented, action, carried)
    }
  }

  #addOperation(documented: Documented, action: Carried['action'], carried: readonly Carried[]): void {
    const { route, method, operation } = documented
    const { operationId, summary, description, tags, parameters = [], security } = operation
    const { security: usual, components } = this.#document
    const [name, { messages }] = this.#channelOf(documented)
    const keys = new Set(carried.map(({ message }) => this.#keyOf(message, operationId)))
    for (const key of keys) messages[key] = { $ref: `#/components/messages/${key}` }
    const streams = new Set(carried.flatMap(({ stream }) => stream ?? []))
    const isSocket = route.messages !== null
    this.operations[`${operationId}${action === 'send' ? 'Send' : 'Receive'}`] = {
      action,
      channel: { $ref: `#/channels/${name}` },
      ...defined({ summary, description, tags: tags?.map((tag) => ({ name: tag })) }),
      messages: [...keys].map((key) => ({ $ref: `#/channels/${name}/messages/${key}` })),
      ...securityOf(security ?? usual, components?.securitySchemes ?? {}),
      ...(isSocket ? {} : { bindings: { http: httpOf(method, parameters) } }),
      ...defined({ 'x-headers': isSocket ? undefined : objectOf(parameters, 'header') }),
      ...(streams.size === 0 ? {} : { 'x-media-types': [...streams] }),
      ...defined({ [TOPICS[action]]: operation[TOPICS[action]] }),
    }
  }

  /** Returns the key of a message. Equal messages are one: each value matches one of a channel only. */
  #keyOf(message: Fields, operationId: string): string {
    const text = JSON.stringify(message)
    const key = this.#keys.get(text) ?? this.#names.messages.reserve(String(message['name'] ?? operationId))
    this.#keys.set(text, key)
    this.messages[key] = message
    return key
  }

  #channelOf({ route, template, operation }: Documented): readonly [name: string, channel: Channel] {
    const protocol: Protocol = route.messages === null ? 'http' : 'ws'
    const known = this.#byAddress.get(`${protocol} ${template.text}`)
    if (known !== undefined) return known
    const servers = serversOf(this.#document.servers, protocol)
    Object.assign(this.servers, servers)
    const { parameters = [] } = operation
    const inPath = parameters
      .filter((one) => one.in === 'path')
      .map((one) => [one.name, parameterOf(one)] as const)
    const [query, headers] = [objectOf(parameters, 'query'), objectOf(parameters, 'header')]
    const ws = { method: 'GET', ...defined({ query, headers }), bindingVersion: '0.1.0' }
    const fields = {
      address: template.text,
      servers: Object.keys(servers).map((name) => ({ $ref: `#/servers/${name}` })),
      ...(inPath.length === 0 ? {} : { parameters: Object.fromEntries(inPath) }),
      ...(protocol === 'ws' ? { bindings: { ws } } : {}),
    }
    const wanted = generatedId('', template.text).replace(/^./, (first) => first.toLowerCase())
    const made = [this.#names.channels.reserve(wanted), { fields, messages: {} }] as const
    this.#byAddress.set(`${protocol} ${template.text}`, made)
    return made
  }
}

function httpOf(method: string, parameters: readonly Parameter[]): Fields {
  const name = METHODS.has(method) ? 'method' : 'x-method'
  return {
    [name]: method.toUpperCase(),
    ...defined({ query: objectOf(parameters, 'query') }),
    bindingVersion: '0.3.0',
  }
}

/** Values of addresses are texts, without a schema (AsyncAPI 3.0.0, Parameter Object). */
function parameterOf({ schema, description }: Parameter): Fields {
  const values = isRecord(schema) ? schema['enum'] : undefined
  return defined({ description, enum: Array.isArray(values) ? values.map(String) : undefined })
}

/** Returns the schema of the parameters at one place, as an object; undefined if there are none. */
function objectOf(parameters: readonly Parameter[], place: Parameter['in']): Fields | undefined {
  const own = parameters.filter((one) => one.in === place)
  if (own.length === 0) return undefined
  const required = own.filter((one) => one.required === true).map(({ name }) => name)
  const properties = Object.fromEntries(own.map(({ name, schema }) => [name, inDraft07(schema)]))
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}
