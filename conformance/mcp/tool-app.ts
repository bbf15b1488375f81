// An app with tools, and the official clients over any transport of the harness.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client'
import { mcp } from '@cloister/mcp'
import type { McpOptions, McpTools } from '@cloister/mcp'
import type { App } from '../harness/app-shape.ts'
import { registerPlugin } from '../harness/register-plugin.ts'
import type { SendRequest, SentResponse } from '../harness/send.ts'

/** Registers the plugin. */
export async function register(app: App, options: McpOptions | object = {}): Promise<void> {
  await registerPlugin(app, mcp, options)
}

/** The tools of an app. */
export function toolsOf(app: App): McpTools['tools'] {
  const { mcp: found } = app
  if (typeof found !== 'object' || found === null || !('tools' in found)) throw new Error('no tools')
  return (found as McpTools).tools
}

/** The resources of an app. */
export function resourcesOf(app: App): McpTools['resources'] {
  const { mcp: found } = app
  if (typeof found !== 'object' || found === null || !('resources' in found)) throw new Error('no resources')
  return (found as McpTools).resources
}

type Send = (app: App, request: SendRequest) => Promise<SentResponse>
type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** `fetch` over a transport of the harness. */
export function fetchOver(app: App, send: Send): Fetch {
  return async (url, init = {}) => {
    const { pathname, search } = new URL(url)
    const headers = Object.fromEntries(new Headers(init.headers))
    const body = typeof init.body === 'string' ? { body: init.body } : {}
    const sent = await send(app, { method: init.method ?? 'GET', path: pathname + search, headers, ...body })
    const given = Object.entries(sent.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    )
    const content = sent.status === 204 || sent.status === 202 ? null : sent.bytes.toString()
    return new Response(content, { status: sent.status, headers: given })
  }
}

/** How a client reaches the app. */
export interface Reach {
  readonly headers?: Record<string, string>
  readonly path?: string
}

/** The client of the first line of the official package (revisions before 2026-07-28), connected. */
export async function connect(
  app: App,
  send: Send,
  { headers = {}, path = '/mcp' }: Reach = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(`http://localhost${path}`), {
    fetch: fetchOver(app, send),
    requestInit: { headers },
  })
  await client.connect(transport)
  return client
}

/** The client of the second line, which speaks the revision 2026-07-28, connected. */
export async function connectNew(
  app: App,
  send: Send,
  { headers = {}, path = '/mcp' }: Reach = {},
): Promise<NewClient> {
  const client = new NewClient(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const transport = new NewTransport(new URL(`http://localhost${path}`), {
    fetch: fetchOver(app, send),
    requestInit: { headers },
  })
  await client.connect(transport)
  return client
}
