import {
  createMcpHandler,
  isLegacyRequest,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Tool as ShownTool } from '@modelcontextprotocol/server'

import type { Message } from './message.ts'
import type { Settings } from './options.ts'
import type { ResourceDescription, ToolDescription } from './types.ts'

/**
 * Serves one message of a client, of the revision 2026-07-28 or an earlier one, without sessions.
 *
 * @param body - the parsed message
 */
export async function serveMessage(
  request: Request,
  body: unknown,
  createServer: () => Server,
): Promise<Response> {
  // A call only sends its result, so no response is a stream, and its status can depend on the call. The tools of an
  // app do not change, so there is nothing to subscribe to.
  if (!(await isLegacyRequest(request, body))) {
    const handler = createMcpHandler(createServer, {
      legacy: 'reject',

      maxSubscriptions: 0,
    })
    return handler.fetch(request, { parsedBody: body })
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await createServer().connect(transport)
  return transport.handleRequest(request, { parsedBody: body })
}

/** Creates the server for one message. */
export function createServer({ info, instructions }: Settings, message: Message): Server {
  const server = new Server(info, {
    capabilities: { tools: {}, resources: {} },
    ...(instructions === undefined ? {} : { instructions }),
  })
  server.setRequestHandler('tools/list', () => ({ tools: message.tools().map(shownOf) }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) =>
    message.call(name, args),
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
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => message.read(uri))
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
