// Tools that ask the client's user before they run (elicitation), over real sockets with both lines of the official
// client.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { createGate, never } from '../harness/time.ts'
import { describeTransports, useApps } from '../harness/transports.ts'
import { connect, register } from './tool-app.ts'

type Action = 'accept' | 'decline' | 'cancel'
type Say = (question: string) => Action | Promise<Action>
interface Caller {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<object>
  close(): Promise<void>
}

/** A client whose user says what `say` returns; without it, the client cannot ask. */
async function first(address: string, say?: Say): Promise<Caller> {
  const capabilities = say === undefined ? {} : { elicitation: {} }
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities })
  if (say !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({
      action: await say(params.message),
    }))
  }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`)))
  return client
}

/** A client whose user decides nothing; `isAsked` resolves when the question has come. */
async function undecided(
  address: string,
): Promise<{ readonly client: Caller; readonly isAsked: Promise<void> }> {
  const question = createGate()
  const client = await first(address, async () => {
    question.open()
    return never()
  })
  return { client, isAsked: question.promise }
}

async function second(address: string, say?: Say): Promise<Caller> {
  const client = new NewClient(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: say === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  )
  if (say !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => ({
      action: await say(params.message),
    }))
  }
  await client.connect(new NewTransport(new URL(`${address}/mcp`)))
  return client
}

/** Notes that are removed by tools which ask always, if they can, and never. */
async function notes(app: App): Promise<{ address: string; removed: string[] }> {
  await register(app)
  const removed: string[] = []
  const route = (url: string, mcp: object): void => {
    app.route({
      method: 'DELETE',
      url,
      mcp,
      handler: ({ params }) => {
        removed.push(url + String(params['id'] ?? ''))
        return 'removed'
      },
    })
  }
  route('/always/:id', { name: 'always', confirm: true })
  route('/text', { name: 'text', confirm: 'Remove all notes for good?' })
  route('/able', { name: 'able' })
  route('/never', { name: 'never', confirm: false })
  route('/mild', { name: 'mild', annotations: { destructiveHint: false } })
  return { address: await app.listen({ port: 0 }), removed }
}

const call = { name: 'always', arguments: { params: { id: '7' } } }
const failed = (text: string): object => ({ isError: true, content: [{ type: 'text', text }] })

describeTransports(
  'tools that need the confirmation of the user',
  ({ createApp, it, expect }) => {
    it.each([
      ['the first line of the client', first],
      ['the client of the revision 2026-07-28', second],
    ])('%s asks before the route runs', async (_name, reach) => {
      const { address, removed } = await notes(createApp())
      const said: string[] = []
      let action: Action = 'accept'
      const client = await reach(address, (question) => {
        said.push(question)
        expect(removed).toEqual([])
        return action
      })
      expect(await client.callTool(call)).toMatchObject({ content: [{ text: 'removed' }] })
      expect(removed.splice(0)).toEqual(['/always/:id7'])
      expect(said.splice(0)).toEqual(['Run \'always\' (DELETE /always/:id)?\nparams: {"id":"7"}'])
      for (const [given, text] of [
        ['decline', 'nothing has run: the user has declined'],
        ['cancel', 'nothing has run: the user has not confirmed'],
      ] as const) {
        action = given
        for (const name of ['text', 'able']) {
          expect(await client.callTool({ name, arguments: {} })).toMatchObject(failed(text))
        }
      }
      expect(said.splice(0)).toEqual([
        'Remove all notes for good?\n',
        "Run 'able' (DELETE /able)?\n",
        'Remove all notes for good?\n',
        "Run 'able' (DELETE /able)?\n",
      ])
      for (const name of ['never', 'mild']) await client.callTool({ name, arguments: {} })
      expect([said, removed]).toEqual([[], ['/never', '/mild']])
      await client.close()
    })

    it.each([
      ['the first line of the client', first],
      ['the client of the revision 2026-07-28', second],
    ])('without elicitation, %s can call only what need not be confirmed', async (_name, reach) => {
      const { address, removed } = await notes(createApp())
      const client = await reach(address)
      const text = 'nothing has run: the client cannot ask its user for the confirmation (elicitation)'
      expect(await client.callTool(call)).toMatchObject(failed(text))
      expect(removed).toEqual([])
      for (const name of ['able', 'never']) await client.callTool({ name, arguments: {} })
      expect(removed).toEqual(['/able', '/never'])
      await client.close()
    })

    it('wrong arguments are refused without a question', async () => {
      const { address } = await notes(createApp())
      const client = await first(address, () => expect.fail('asked'))
      expect(await client.callTool({ name: 'always', arguments: { params: {} } })).toMatchObject({
        isError: true,
      })
      await client.close()
    })

    it('questions of calls at the same time get their own responses', async () => {
      const { address, removed } = await notes(createApp())
      const clients = await Promise.all(
        [1, 2].map(async () =>
          first(address, async (question) => (/"(\d+)"/.exec(question)?.[1] === '2' ? 'decline' : 'accept')),
        ),
      )
      const results = await Promise.all(
        clients.flatMap((client) =>
          ['1', '2', '3'].map(async (id) =>
            client.callTool({ name: 'always', arguments: { params: { id } } }),
          ),
        ),
      )
      expect(results.map((result) => 'isError' in result)).toEqual([false, true, false, false, true, false])
      expect(removed.toSorted()).toEqual(['1', '1', '3', '3'].map((id) => `/always/:id${id}`))
      for (const client of clients) await client.close()
    })

    it('what another client sends is no response to a question', async () => {
      const { address, removed } = await notes(createApp())
      const forged = async (id: unknown): Promise<number> => {
        const headers = {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'mcp-session-id': 'x.asks',
        }
        const body = JSON.stringify({ jsonrpc: '2.0', id, result: { action: 'accept' } })
        return (await fetch(`${address}/mcp`, { method: 'POST', headers, body })).status
      }
      const client = await first(address, async (): Promise<Action> => {
        for (const id of [0, 1, '0', null]) expect(await forged(id)).toBe(202)
        expect(removed).toEqual([])
        return 'decline'
      })
      expect(await client.callTool(call)).toMatchObject({ isError: true })
      expect(removed).toEqual([])
      await client.close()
    })

    it('nothing runs when the client leaves before its user has decided', async () => {
      const { address, removed } = await notes(createApp())
      const { client, isAsked } = await undecided(address)
      const result = client.callTool(call).catch(() => 'left')
      await isAsked
      await client.close()
      expect(await result).toBe('left')
      expect(removed).toEqual([])
    })

    it('a question does not keep the app from closing, and nothing runs', async () => {
      const app = createApp()
      const { address, removed } = await notes(app)
      const { client, isAsked } = await undecided(address)
      const result = client.callTool(call).catch(() => 'closed')
      await isAsked
      await app.close()
      await client.close()
      expect([await result, removed]).toEqual(['closed', []])
    })
  },
  ['socket'],
)

describeTransports(
  'a batch with a tool that asks',
  ({ createApp, send, it, expect }) => {
    it('runs nothing, because its response holds no question', async () => {
      const app = createApp()
      await register(app)
      app.route({
        method: 'DELETE',
        url: '/a',
        mcp: { name: 'a', confirm: true },
        handler: () => expect.fail('ran'),
      })
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', arguments: {} } }
      const headers = { accept: 'application/json, text/event-stream', 'mcp-session-id': 'x.asks' }
      const { json } = await send(app, {
        method: 'POST',
        path: '/mcp',
        headers,
        body: [message, { ...message, id: 2 }],
      })
      const text = 'nothing has run: the client cannot ask its user for the confirmation (elicitation)'
      expect(json()).toMatchObject([{ result: failed(text) }, { result: failed(text) }])
    })

    it('has no session that asks, unless its client can', async () => {
      const app = createApp()
      await register(app)
      app.route({ method: 'DELETE', url: '/a', mcp: { name: 'a', confirm: true }, handler: () => 'a' })
      const client = await connect(app, send)
      expect(await client.callTool({ name: 'a', arguments: {} })).toMatchObject({ isError: true })
      await client.close()
    })
  },
  ['in-process', 'memory', 'fetch'],
)

describe('the option confirm', () => {
  const createApp = useApps()

  it.each([
    ['a number', { confirm: 1 }, 'confirm must be true, false or a question'],
    ['an empty question', { confirm: '' }, 'confirm must be true, false or a question'],
    ['a resource', { as: 'both', confirm: true }, 'a resource is read without a question'],
  ])('is refused with %s', async (_title, mcp, message) => {
    const app = createApp()
    await register(app)
    app.route({ method: 'GET', url: '/a', mcp, handler: () => '' })
    await expect(app.ready()).rejects.toThrow(message)
  })
})
