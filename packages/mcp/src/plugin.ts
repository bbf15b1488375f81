import type { CallToolResult } from '@modelcontextprotocol/server'
import { definePlugin } from 'cloister'
import type { Cloister, Context, DefinedPlugin } from 'cloister'
import { platformOf, toFetch } from 'cloister/fetch'
import { connectionOf, jsonTextOf } from 'cloister/inspect'
import type { RequestConnection } from 'cloister/inspect'

import { checkPrefix, Gate, metadataPath } from './authorization.ts'
import { ArgumentError, createRequest, failure, originOf, readResult } from './call.ts'
import { createServer, serveMessage } from './endpoint.ts'
import { ExactContents } from './exact-content.ts'
import { isRecord, McpError, McpRefusal } from './errors.ts'
import { checkOptions } from './options.ts'
import type { Settings } from './options.ts'
import { readTools } from './tools.ts'
import type { Tool } from './tools.ts'
import type { McpOptions, McpTools, ToolDescription } from './types.ts'

/** What the plugin provides, and its options. */
export interface McpContract {
  /** The decorator. */
  readonly provides: { readonly app: { readonly mcp: McpTools } }
  /** The options. */
  readonly options: McpOptions
}

/**
 * Serves routes as tools of the Model Context Protocol: the routes with the option `mcp` in the context that
 * registers the plugin, and in the contexts below. A call is a request to the route, with the header fields and the
 * address of its caller, through all hooks.
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
  routeOptions: ['mcp'],
  plugin: (app, options) => {
    const settings = checkOptions(options)
    let tools: ReadonlyMap<string, Tool> | null = null
    app.addHook('onReady', async () => {
      tools = readTools(app, settings)
    })
    const ready = (): ReadonlyMap<string, Tool> => {
      if (tools !== null) return tools
      throw new McpError(
        'CLO_ERR_MCP_NOT_READY',
        'app.mcp.tools: call app.ready() first; tools are made then',
      )
    }
    serveEndpoint(app, settings, ready)
    return app.decorate('mcp', {
      get tools() {
        return [...ready().values()].map(({ description }) => description)
      },
    })
  },
})

type App = Cloister<Context>

const OF_PROTOCOL = /^(?:accept|content-type|last-event-id|mcp-.*)$/

function serveEndpoint(app: App, settings: Settings, tools: () => ReadonlyMap<string, Tool>): void {
  const { path, allowedOrigins, payloadLimit } = settings
  const send = toFetch(app, (_request, caller: object, { route }: Tool) => ({
    ...platformOf(caller),
    route,
  }))
  const gate = openGate(app, settings, tools)
  app.post(path, { schema: { hide: true } }, async (request, reply) => {
    const { origin } = request.headers
    // A page on another host may reach a local server under its own name (DNS rebinding).
    if (origin !== undefined && !allowedOrigins.includes(origin)) {
      throw new McpRefusal(403, 'CLO_ERR_MCP_ORIGIN', 'this origin is not allowed')
    }
    const caller = connectionOf(request)
    if (!URL.canParse(originOf(caller))) throw new McpRefusal(400, 'CLO_ERR_MCP_HOST', 'no URL has this Host')
    const admitted = gate === null ? null : await admit(gate, request, reply)
    const refusals: (Response | McpRefusal)[] = []
    const contents = new ExactContents()
    const call = async (tool: Tool, args: Readonly<Record<string, unknown>>): Promise<CallToolResult> => {
      const missing = admitted?.refusalOf(tool) ?? null
      if (missing !== null) {
        refusals.push(missing)
        return failure(missing.message)
      }
      try {
        const made = createRequest({
          tool,
          args,
          caller,
          signal: request.signal,
          textOf: (holder, key) => jsonTextOf(request, holder, key),
        })
        const response = await send(made, request, tool)
        if (isRefusal(response)) refusals.push(gate?.withMetadata(response.clone()) ?? response.clone())
        return await readResult(tool, response, payloadLimit, contents)
      } catch (error) {
        if (error instanceof ArgumentError) return failure(error.message)
        if (isOther(error)) return failure(otherRoute(tool))
        throw error
      }
    }
    const { body, argumentsOf } = withoutArguments(request.body)
    const response = await serveMessage(messageOf(caller), body, () =>
      createServer(settings, listFor(tools(), admitted), (name, args) => {
        const tool = tools().get(name)
        return tool === undefined ? undefined : call(tool, argumentsOf(args))
      }),
    )
    // MCP clients request a token, or more rights, when the status of the endpoint requires it. It is that of all
    // calls in a batch, so it cannot replace the results of the others.
    const [refusal] = refusals
    const isOfAll = refusals.length === countRequests(request.body)
    if (refusal === undefined || !isOfAll) return reply.send(await contents.write(response))
    return refusal instanceof McpRefusal ? refuse(reply, refusal) : reply.send(refusal)
  })
  refuseSessions(app, path)
}

/** What the token of a caller admits. */
interface Admitted {
  readonly lists: (tool: Tool) => boolean
  readonly refusalOf: (tool: Tool) => McpRefusal | null
}

async function admit(gate: Gate, { headers }: Challenged, reply: ChallengingReply): Promise<Admitted> {
  const grant = await gate
    .admit(headers.authorization)
    .catch((error: unknown) => (error instanceof McpRefusal ? refuse(reply, error) : Promise.reject(error)))
  return {
    lists: ({ description }) => gate.lists(description, grant),
    refusalOf: ({ description }) => gate.refusalOf(description, grant),
  }
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
function openGate(
  app: App,
  { authorization, info }: Settings,
  tools: () => ReadonlyMap<string, Tool>,
): Gate | null {
  if (authorization === undefined) return null
  checkPrefix(app.prefix)
  const gate = new Gate(authorization)
  app.get(metadataPath(authorization.resource), { schema: { hide: true } }, () =>
    gate.describe(
      info.title ?? info.name,
      [...tools().values()].map(({ description }) => description),
    ),
  )
  return gate
}

function listFor(tools: ReadonlyMap<string, Tool>, admitted: Admitted | null): readonly ToolDescription[] {
  const all = [...tools.values()]
  const listed = admitted === null ? all : all.filter((tool) => admitted.lists(tool))
  return listed.map(({ description }) => description)
}

/** Returns the message of a caller for the SDK, with the fields of the protocol alone. */
function messageOf({ fields }: RequestConnection): Request {
  const headers = fields.filter(([name]) => OF_PROTOCOL.test(name))
  return new Request('http://localhost/', {
    method: 'POST',
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

type Arguments = Readonly<Record<string, unknown>>

/**
 * Replaces the arguments of calls by their number. The SDK copies what it gets, and the numbers in a copy are no longer
 * known as the client wrote them.
 */
function withoutArguments(body: unknown): { body: unknown; argumentsOf: (given: Arguments) => Arguments } {
  const taken: Arguments[] = []
  const take = (message: unknown): unknown => {
    const params = isRecord(message) && message['method'] === 'tools/call' ? message['params'] : null
    if (!isRecord(message) || !isRecord(params) || !isRecord(params['arguments'])) return message
    const number = taken.push(params['arguments']) - 1
    return { ...message, params: { ...params, arguments: { number } } }
  }
  return {
    body: Array.isArray(body) ? body.map(take) : take(body),
    argumentsOf: (given) => taken[Number(given['number'])] ?? given,
  }
}

/** Whether a route requires credentials (RFC 9110, section 11.6.1). */
function isRefusal({ status, headers }: Response): boolean {
  return status === 401 || (status === 403 && headers.has('www-authenticate'))
}

/**
 * Whether a call would reach another route than that of its tool. A value may lead there, as `me` does with
 * `/users/:id` and `/users/me`; so may the caller's Host, or `rewriteUrl`.
 */
function isOther(error: unknown): boolean {
  return isRecord(error) && String(error['code']).endsWith('_FETCH_ROUTE_OTHER')
}

function otherRoute({ description: { method, url } }: Tool): string {
  return `the request would not reach the route ${method} ${url}: check the values in params`
}

/** The number of messages that want a result: one, or some of those in a batch. */
function countRequests(body: unknown): number {
  return [body]
    .flat()
    .filter((one) => isRecord(one) && one['id'] !== undefined && one['method'] !== undefined).length
}
