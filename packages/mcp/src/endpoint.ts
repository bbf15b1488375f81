import {
  createMcpHandler,
  isInitializeRequest,
  isJSONRPCRequest,
  isLegacyRequest,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Tool as ShownTool } from '@modelcontextprotocol/server'

import { createSession } from './confirm.ts'
import type { Message } from './message.ts'
import type { OpenCalls } from './open-calls.ts'
import type { Settings } from './options.ts'
import type { ResourceDescription, ToolDescription } from './types.ts'

/**
 * Serves one message of a client, of the revision 2026-07-28 or an earlier one. No process knows a client: what runs
 * is all that it holds.
 */
export async function serveMessage(
  request: Request,
  message: Message,
  settings: Settings,
  calls: OpenCalls,
): Promise<Response> {
  const { body } = message
  const create = (): Server => createServer(settings, message)
  if (await isLegacyRequest(request, body)) return serveEarlier(request, body, create(), calls)
  // The tools of an app do not change, so there is nothing to subscribe to.
  const handler = createMcpHandler(create, { legacy: 'reject', maxSubscriptions: 0 })
  return handler.fetch(request, { parsedBody: body })
}

async function serveEarlier(
  request: Request,
  body: unknown,
  server: Server,
  calls: OpenCalls,
): Promise<Response> {
  if (calls.take(request.headers.get('mcp-session-id'), body)) return new Response(null, { status: 202 })
  if (isJSONRPCRequest(body) && body.method === 'tools/call') return calls.serve(request, body, server)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const response = await transport.handleRequest(request, { parsedBody: body })
  if (isInitializeRequest(body)) {
    response.headers.set('mcp-session-id', createSession(body.params.capabilities))
  }
  return response
}

/** Creates the server for one message. */
function createServer({ info, instructions }: Settings, message: Message): Server {
  const server = new Server(info, {
    capabilities: { tools: {}, resources: {} },
    ...(instructions === undefined ? {} : { instructions }),
  })
  server.setRequestHandler('tools/list', () => ({ tools: message.tools().map(shownOf) }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }, context) =>
    message.call(name, args, context),
  )
  server.setRequestHandler('resources/list', () => ({
    resources: message
      .resources()
      .flatMap(({ uri, ...resource }) => (uri === null ? [] : [{ uri, ...shownResource(resource) }])),
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: message
      .resources()
      .flatMap(({ uriTemplate, ...resource }) =>
        uriTemplate === null ? [] : [{ uriTemplate, ...shownResource(resource) }],
      ),
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) =>
    message.read(uri, mcpReq.signal),
  )
  return server
}

function shownOf(tool: ToolDescription): ShownTool {
  const { method: _, url: __, callSite: ___, guards: ____, ...shown } = tool
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the members of a schema are JSON
  return shown as ShownTool
}

type ShownResource = Pick<ResourceDescription, 'name' | 'title' | 'description' | 'mimeType'>

function shownResource({ name, title, description, mimeType }: ShownResource): ShownResource {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
  }
}
