// Tools for callers with access tokens: metadata of the resource (RFC 9728), challenges, audience and scopes, tried with
// both lines of the official client against an authorization server of the test.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  Client as NewClient,
  ClientCredentialsProvider as NewProvider,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import type { App, Request as AppRequest } from '../harness/app-shape.ts'
import { describeTransports, useApps } from '../harness/transports.ts'
import { fetchOver, register } from './tool-app.ts'

const RESOURCE = 'http://localhost/mcp'
const METADATA = 'http://localhost/.well-known/oauth-protected-resource/mcp'
const LOGIN = 'https://login.example'

interface Token {
  readonly audience: string
  readonly scopes: readonly string[]
}

const issue = (token: Token): string => Buffer.from(JSON.stringify(token)).toString('base64url')

/** Reads what `issue` wrote; other tokens are not valid. */
function verify(token: string): Token | null {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString())
  } catch {
    return null
  }
}

const options = { authorization: { resource: RESOURCE, authorizationServers: [LOGIN], verify } }

/** An app with a tool for every token, and one behind a guard that demands a scope. */
async function fill(app: App, more: object = {}): Promise<{ app: App }> {
  await register(app, { ...options, authorization: { ...options.authorization, ...more } })
  app.route({ method: 'GET', url: '/books', mcp: { name: 'list_books' }, handler: () => ['Flatland'] })
  app.register(async (scope: App) => {
    const user = ({ headers }: AppRequest): object => {
      const token = verify(String(headers['authorization']).slice('Bearer '.length))
      if (token?.scopes.includes('books:write') !== true) {
        throw Object.assign(new Error('no'), { statusCode: 403 })
      }
      return token
    }
    scope.addGuard('user', user, { security: { oauth: ['books:write'] } })
    scope.route({ method: 'POST', url: '/books', mcp: { name: 'add_book' }, handler: () => 'added' })
    scope.route({ method: 'GET', url: '/drafts', mcp: { as: 'resource' }, handler: () => 'draft' })
  })
  return { app }
}

const message = (method: string, params: object = {}): object => ({ jsonrpc: '2.0', id: 1, method, params })
const add = message('tools/call', { name: 'add_book', arguments: {} })

describeTransports(
  'tools with authorization',
  ({ createApp, send, it, expect }) => {
    const post = (app: App, body: object, token?: string): ReturnType<typeof send> =>
      send(app, {
        method: 'POST',
        path: '/mcp',
        headers: {
          accept: 'application/json, text/event-stream',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body,
      })

    it('describe their resource at its well-known path, to everyone', async () => {
      const { app } = await fill(createApp())
      const response = await send(app, { path: new URL(METADATA).pathname })
      expect(response.status).toBe(200)
      expect(response.json()).toEqual({
        resource: RESOURCE,
        resource_name: 'cloister',
        authorization_servers: [LOGIN],
        scopes_supported: ['books:write'],
        bearer_methods_supported: ['header'],
      })
    })

    it('refuse callers without a valid token for the resource, and say where its metadata is', async () => {
      const { app } = await fill(createApp())
      const list = message('tools/list')
      const without = await post(app, list)
      expect([without.status, without.headers['www-authenticate']]).toEqual([
        401,
        `Bearer resource_metadata="${METADATA}"`,
      ])
      const other = issue({ audience: 'http://localhost/other', scopes: ['books:write'] })
      for (const token of ['unreadable', other]) {
        const response = await post(app, list, token)
        expect([response.status, response.headers['www-authenticate']]).toEqual([
          401,
          `Bearer error="invalid_token", resource_metadata="${METADATA}"`,
        ])
      }
      expect((await post(app, list, issue({ audience: RESOURCE, scopes: [] }))).status).toBe(200)
    })

    it('ask for the scopes that the guards of a tool demand, beside those of the token', async () => {
      const { app } = await fill(createApp())
      const refused = await post(app, add, issue({ audience: RESOURCE, scopes: ['books:read'] }))
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([
        403,
        `Bearer error="insufficient_scope", scope="books:read books:write", resource_metadata="${METADATA}"`,
      ])
      const called = await post(app, add, issue({ audience: RESOURCE, scopes: ['books:write'] }))
      expect(called.json()).toMatchObject({ result: { content: [{ text: 'added' }] } })
    })

    it('fail where the check of tokens returns no list of scopes, in which a scope could be within another', async () => {
      for (const scopes of ['books:write-drafts', 7, null]) {
        const { app } = await fill(createApp(), { verify: () => ({ audience: RESOURCE, scopes }) })
        expect((await post(app, add, 'token')).status).toBe(500)
      }
      for (const none of [undefined, false]) {
        const { app } = await fill(createApp(), { verify: () => none })
        expect((await post(app, add, 'token')).status).toBe(401)
      }
    })

    it('ask for them when a resource is read, and list it by them', async () => {
      const { app } = await fill(createApp(), { listAdmitted: true })
      const read = message('resources/read', { uri: 'route:/drafts' })
      const list = message('resources/list')
      const reader = issue({ audience: RESOURCE, scopes: ['books:read'] })
      const refused = await post(app, read, reader)
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([
        403,
        `Bearer error="insufficient_scope", scope="books:read books:write", resource_metadata="${METADATA}"`,
      ])
      expect((await post(app, list, reader)).json()).toMatchObject({ result: { resources: [] } })
      const writer = issue({ audience: RESOURCE, scopes: ['books:write'] })
      expect((await post(app, read, writer)).json()).toMatchObject({
        result: { contents: [{ text: 'draft' }] },
      })
      expect((await post(app, list, writer)).json()).toMatchObject({
        result: { resources: [{ uri: 'route:/drafts' }] },
      })
    })

    it('in a batch, refuse one call and serve the others', async () => {
      const { app } = await fill(createApp())
      const token = issue({ audience: RESOURCE, scopes: [] })
      const list = { ...message('tools/call', { name: 'list_books', arguments: {} }), id: 2 }
      const both = await post(app, [add, list], token)
      expect(both.status).toBe(200)
      expect(both.json()).toMatchObject([
        { id: 1, result: { isError: true, content: [{ text: expect.stringContaining('books:write') }] } },
        { id: 2, result: { content: [{ text: expect.stringContaining('Flatland') }] } },
      ])
    })

    it('are all listed, or those alone that the scopes of the caller admit', async () => {
      const namesFor = async (app: App, scopes: readonly string[]): Promise<unknown> => {
        const response = await post(app, message('tools/list'), issue({ audience: RESOURCE, scopes }))
        const { result } = Object(response.json())
        return result.tools.map(({ name }: { name: string }) => name)
      }
      const { app } = await fill(createApp())
      expect(await namesFor(app, [])).toEqual(['list_books', 'add_book'])
      const { app: admitted } = await fill(createApp(), { listAdmitted: true })
      expect(await namesFor(admitted, [])).toEqual(['list_books'])
      expect(await namesFor(admitted, ['books:write'])).toEqual(['list_books', 'add_book'])
    })

    it('add the place of the metadata to the challenge of a route', async () => {
      const { app } = await fill(createApp())
      app.route({
        method: 'GET',
        url: '/closed',
        mcp: { name: 'closed' },
        handler: (_request, reply) => reply.code(401).header('www-authenticate', 'Bearer realm="x"').send({}),
      })
      const call = message('tools/call', { name: 'closed', arguments: {} })
      const refused = await post(app, call, issue({ audience: RESOURCE, scopes: [] }))
      expect([refused.status, refused.headers['www-authenticate']]).toEqual([
        401,
        `Bearer realm="x", resource_metadata="${METADATA}"`,
      ])
    })

    /** `fetch` to the app, and to an authorization server that grants what is asked for, but reading at first. */
    const network = (app: App): { fetch: ReturnType<typeof fetchOver>; granted: string[] } => {
      const toApp = fetchOver(app, send)
      const granted: string[] = []
      const login = (url: URL, body: unknown): Response => {
        if (url.pathname === '/.well-known/oauth-authorization-server') {
          return Response.json({
            issuer: LOGIN,
            authorization_endpoint: `${LOGIN}/authorize`,
            token_endpoint: `${LOGIN}/token`,
            response_types_supported: ['code'],
            grant_types_supported: ['client_credentials'],
            token_endpoint_auth_methods_supported: ['client_secret_basic'],
          })
        }
        if (url.pathname !== '/token') return Response.json({}, { status: 404 })
        const form = new URLSearchParams(String(body))
        const scope = granted.length === 0 ? 'books:read' : (form.get('scope') ?? '')
        granted.push(scope)
        const token = issue({ audience: String(form.get('resource')), scopes: scope.split(' ') })
        return Response.json({ access_token: token, token_type: 'Bearer', scope })
      }
      return {
        granted,
        fetch: async (url, init) =>
          new URL(url).origin === LOGIN ? login(new URL(url), init?.body) : toApp(url, init),
      }
    }
    const credentials = { clientId: 'books', clientSecret: 'secret', expectedIssuer: LOGIN }

    it('lead the official client to the authorization server, and to more scopes', async () => {
      const { app } = await fill(createApp())
      const { fetch, granted } = network(app)
      const client = new Client({ name: 'test', version: '1.0.0' })
      // This line asks for the scopes of its options whenever it needs a token.
      const scope = 'books:read books:write'
      const authProvider = new ClientCredentialsProvider({ ...credentials, scope })
      await client.connect(new StreamableHTTPClientTransport(new URL(RESOURCE), { fetch, authProvider }))
      expect(granted).toEqual(['books:read'])
      const result = await client.callTool({ name: 'add_book', arguments: {} })
      expect(result).toMatchObject({ content: [{ text: 'added' }] })
      expect(granted).toEqual(['books:read', 'books:read books:write'])
      await client.close()
    })

    it('lead the second line of the client there, too', async () => {
      const { app } = await fill(createApp())
      const { fetch, granted } = network(app)
      const client = new NewClient(
        { name: 'test', version: '1.0.0' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } } },
      )
      const authProvider = new NewProvider(credentials)
      await client.connect(new NewTransport(new URL(RESOURCE), { fetch, authProvider }))
      const result = await client.callTool({ name: 'add_book', arguments: {} })
      expect(result).toMatchObject({ content: [{ text: 'added' }] })
      expect(granted.at(-1)).toBe('books:read books:write')
      await client.close()
    })
  },
  ['in-process', 'socket', 'memory', 'fetch'],
)

describe('the option authorization of tools', () => {
  const createApp = useApps()

  it.each([
    ['no resource', { resource: undefined }, 'authorization must be'],
    ['a relative resource', { resource: '/mcp' }, 'authorization must be'],
    ['a resource with a fragment', { resource: `${RESOURCE}#a` }, 'authorization must be'],
    ['no servers', { authorizationServers: [] }, 'authorization must be'],
    ['no check', { verify: 'x' }, 'authorization must be'],
    ['another member', { scopes: [] }, 'authorization must be'],
  ])('refuses %s', async (_title, change, text) => {
    const app = createApp()
    await expect(
      register(app, { authorization: { ...options.authorization, ...change } }).then(() => app.ready()),
    ).rejects.toThrow(text)
  })

  it('refuses a context with a prefix, where no client would find the metadata', async () => {
    const app = createApp()
    app.register(async (child: App) => register(child, options), { prefix: '/v1' })
    await expect(app.ready()).rejects.toThrow(/the prefix '\/v1'.*\{ path: '\/v1\/mcp' \}/)
  })
})
