import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { CallToolResult, Tool as ShownTool } from '@modelcontextprotocol/server'

import type { Settings } from './options.ts'
import type { ToolDescription } from './types.ts'

/** Calls a tool by name; returns undefined if there is none. */
export type CallTool = (
  name: string,
  args: Readonly<Record<string, unknown>>,
) => Promise<CallToolResult> | undefined

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
export function createServer(
  { info, instructions }: Settings,
  tools: readonly ToolDescription[],
  call: CallTool,
): Server {
  const server = new Server(info, {
    capabilities: { tools: {} },
    ...(instructions === undefined ? {} : { instructions }),
  })
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(shownOf) }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
    const result = await call(name, args)
    if (result === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool '${name}'`)
    return result
  })
  return server
}

function shownOf(tool: ToolDescription): ShownTool {
  const { method: _, url: __, callSite: ___, guards: ____, ...shown } = tool
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the members of a schema are JSON
  return shown as ShownTool
}
