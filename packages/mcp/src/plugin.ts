import { definePlugin } from 'cloister'
import type { Cloister, Context, DefinedPlugin } from 'cloister'
import { platformOf, toFetch } from 'cloister/fetch'
import { connectionOf } from 'cloister/inspect'
import type { InspectedRoute, RequestConnection } from 'cloister/inspect'

import { Gate, checkPrefix, metadataPath } from './authorization.ts'
import { originOf } from './call.ts'
import { serveMessage } from './endpoint.ts'
import { isRecord, McpError, McpRefusal } from './errors.ts'
import { Message } from './message.ts'
import { OpenCalls } from './open-calls.ts'
import { checkOptions } from './options.ts'
import type { Settings } from './options.ts'
import { readEntries } from './tools.ts'
import type { Entries } from './tools.ts'
import type { McpGrant, McpOptions, McpTools } from './types.ts'

/** What the plugin provides, and its options. */
export interface McpContract {
  /** The decorator. */
  readonly provides: { readonly app: { readonly mcp: McpTools } }
  /** The options. */
  readonly options: McpOptions
}

/**
 * Serves routes as tools and resources of the Model Context Protocol: the routes with the option `mcp` in the context
 * that registers the plugin, and in the contexts below. A call, or a reading, is a request to the route, with the
 * header fields and the address of its caller, through all hooks.
 *
 * @throws {@link McpError} when the app starts
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { mcp } from '@cloister/mcp'
 *
 * const app = cloister()
 * app.register(mcp, { info: { name: 'books', version: '1.0.0' } })
 * app.get('/books/:id', { mcp: { name: 'read_book', description: 'Reads a book.' } }, (request) => request.params.id)
 * await app.ready()
 * ```
 */
export const mcp: DefinedPlugin<McpContract> = definePlugin<McpContract>({
  name: '@cloister/mcp',
  ownOptions: true,
  routeOptions: ['mcp'],
  plugin: (app, options) => {
    const settings = checkOptions(options)
    let entries: Entries | null = null
    app.addHook('onReady', async () => {
      entries = readEntries(app, settings)
    })
    const ready = (member: keyof Entries): Entries => {
      if (entries !== null) return entries
      throw new McpError(
        'CLO_ERR_MCP_NOT_READY',
        `app.mcp.${member}: call app.ready() first; ${member} are made then`,
      )
    }
    serveEndpoint(app, settings, () => ready('tools'))
    return app.decorate('mcp', {
      get tools() {
        return [...ready('tools').tools.values()].map(({ description }) => description)
      },
      get resources() {
        return ready('resources').resources.map(({ description }) => description)
      },
    })
  },
})

type App = Cloister<Context>

const OF_PROTOCOL = /^(?:accept|content-type|last-event-id|mcp-.*)$/

function serveEndpoint(app: App, settings: Settings, entries: () => Entries): void {
  const { path, allowedOrigins } = settings
  const send = toFetch(app, (_request, caller: object, route: InspectedRoute) => ({
    ...platformOf(caller),
    route,
  }))
  const gate = openGate(app, settings, entries)
  const calls = new OpenCalls()
  app.addHook('preClose', async () => calls.stopAsking())
  app.post(path, { schema: { hide: true } }, async (request, reply) => {
    const { origin } = request.headers
    // A page on another host may reach a local server under its own name (DNS rebinding).
    if (origin !== undefined && !allowedOrigins.includes(origin)) {
      throw new McpRefusal(403, 'CLO_ERR_MCP_ORIGIN', 'this origin is not allowed')
    }
    const caller = connectionOf(request)
    if (!URL.canParse(originOf(caller))) throw new McpRefusal(400, 'CLO_ERR_MCP_HOST', 'no URL has this Host')
    const grant = gate === null ? null : await admit(gate, request, reply)
    const admitted = gate === null || grant === null ? null : { gate, grant }
    const message = new Message({ request, caller, settings, entries: entries(), admitted, send })
    const response = await serveMessage(messageOf(caller, request.signal), message, settings, calls)
    // MCP clients request a token, or more rights, when the status of the endpoint requires it. It is that of all
    // calls in a batch, so it cannot replace the results of the others.
    const refusal = message.refusal(countRequests(request.body))
    if (refusal === null) return reply.send(await message.write(response))
    return refusal instanceof McpRefusal ? refuse(reply, refusal) : reply.send(refusal)
  })
  refuseSessions(app, path)
}

async function admit(gate: Gate, { headers }: Challenged, reply: ChallengingReply): Promise<McpGrant> {
  return gate
    .admit(headers.authorization)
    .catch((error: unknown) => (error instanceof McpRefusal ? refuse(reply, error) : Promise.reject(error)))
}

interface Challenged {
  readonly headers: { readonly authorization?: string | undefined }
}

interface ChallengingReply {
  header(name: string, value: string): unknown
}

/** Refuses a request with an error response of the app, which names what credentials would help. */
function refuse(reply: ChallengingReply, refusal: McpRefusal): never {
  if (refusal.challenge !== null) reply.header('www-authenticate', refusal.challenge)
  throw refusal
}

/** Serves the metadata of the resource, and returns what admits callers; `null` without the option `authorization`. */
function openGate(app: App, { authorization, info }: Settings, entries: () => Entries): Gate | null {
  if (authorization === undefined) return null
  checkPrefix(app.prefix)
  const gate = new Gate(authorization)
  app.get(metadataPath(authorization.resource), { schema: { hide: true } }, () =>
    gate.describe(
      info.title ?? info.name,
      [...entries().tools.values(), ...entries().resources].map(({ description }) => description),
    ),
  )
  return gate
}

/** Returns the message of a caller for the SDK, with the fields of the protocol alone. */
function messageOf({ fields }: RequestConnection, signal: AbortSignal): Request {
  const headers = fields.filter(([name]) => OF_PROTOCOL.test(name))
  return new Request('http://localhost/', {
    method: 'POST',
    signal,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  })
}

/** The endpoint has only POST. */
function refuseSessions(app: App, path: string): void {
  app.route({
    method: ['GET', 'DELETE'],
    url: path,
    exposeHeadRoute: false,
    schema: { hide: true },
    handler: (_request, reply) => {
      reply.header('allow', 'POST')
      const message = 'the endpoint has no sessions and no streams: use POST'
      throw new McpRefusal(405, 'CLO_ERR_MCP_METHOD', message)
    },
  })
}

/** The number of messages that want a result: one, or some of those in a batch. */
function countRequests(body: unknown): number {
  return [body]
    .flat()
    .filter((one) => isRecord(one) && one['id'] !== undefined && one['method'] !== undefined).length
}
