// The asynchronous context of a request: from its first hook to its last, and never that of another request.
import { AsyncLocalStorage, createHook, executionAsyncId } from 'node:async_hooks'
import { PerformanceObserver } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { vi } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { rawSocket } from '../harness/raw-socket.ts'
import { describeTransports } from '../harness/transports.ts'

/** Asynchronous in another way for each request, so that their parts are mixed. */
const pause = async (index: number): Promise<void> => {
  for (let count = index % 3; count > 0; count--) await turn()
}

describeTransports(
  'asynchronous context of a connection',
  ({ createApp, it, expect, ours, transport }) => {
    const storage = new AsyncLocalStorage<string>()

    /** An app that notes the context at each stage, by the number of the request. */
    function observed(): { app: App; seen: Map<string, [stage: string, store: string | undefined][]> } {
      const app = createApp()
      const seen = new Map<string, [stage: string, store: string | undefined][]>()
      const note = (url: string, stage: string): void => {
        seen.set(url, [...(seen.get(url) ?? []), [stage, storage.getStore()]])
      }
      app.addHook('onRequest', (request, _reply, done) => {
        note(request.url, 'before')
        storage.run(request.url, done)
      })
      app.addHook('preHandler', async ({ url }) => {
        await pause(Number(url.slice(2)))
        note(url, 'preHandler')
      })
      app.addHook('onSend', async ({ url }) => note(url, 'onSend'))
      app.addHook('onResponse', async ({ url }) => note(url, 'onResponse'))
      app.get('/s:index', (request, reply) => {
        note(request.url, 'handler')
        const source = (async function* () {
          for (let count = 0; count < 3; count++) {
            await turn()
            note(request.url, 'stream')
            yield `${storage.getStore()} `
          }
        })()
        return reply.send(Readable.from(source))
      })
      app.route({
        method: ['GET', 'POST'],
        url: '/a:index',
        handler: async (request) => {
          note(request.url, 'handler')
          await pause(Number(request.url.slice(2)) + 1)
          return storage.getStore()
        },
      })
      return { app, seen }
    }

    const requests = (count: number): readonly (readonly [url: string, text: string])[] =>
      Array.from({ length: count }, (_, index) => {
        const url = `/${index % 4 === 3 ? 's' : 'a'}${index}`
        const last = index === count - 1 ? 'Connection: close\r\n' : ''
        return index % 4 === 1
          ? [
              url,
              `POST ${url} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n${last}Content-Length: 5\r\n\r\nhello`,
            ]
          : [url, `GET ${url} HTTP/1.1\r\nHost: x\r\n${last}\r\n`]
      })

    it.each([
      ['in one piece', 1e9],
      ['in pieces of 7 bytes', 7],
      ['in pieces of 100 bytes', 100],
    ])('is that of its own request, where requests follow each other %s', async (_name, size) => {
      const { app, seen } = observed()
      const all = requests(40)
      const text = all.map(([, one]) => one).join('')
      const pieces = text.match(new RegExp(`[^]{1,${Math.min(size, text.length)}}`, 'g')) ?? []
      const { statuses, text: output } = await rawSocket(app, pieces)
      expect(statuses).toEqual(all.map(() => 200))
      await vi.waitFor(() =>
        expect([...seen.values()].flat().filter(([stage]) => stage === 'onResponse').length).toBe(40),
      )
      for (const [url] of all) {
        const isStream = url.startsWith('/s')
        const stages = [
          'preHandler',
          'handler',
          'onSend',
          ...(isStream ? ['stream', 'stream', 'stream'] : []),
          'onResponse',
        ]
        const notes = seen.get(url) ?? []
        // Node decides which response writes what waited, and so in whose context it ends.
        if (transport === 'socket') notes[notes.length - 1] = ['onResponse', url]
        // Nothing of an earlier request of the connection is left.
        expect([url, notes[0]]).toEqual([url, ['before', undefined]])
        expect(notes.slice(1)).toEqual(stages.map((stage) => [stage, url]))
        expect(output).toContain(isStream ? `${url} ` : `\r\n\r\n${url}`)
      }
    })

    it('is that of the request which resumed a client, where several connections are served at once', async () => {
      const { app, seen } = observed()
      const all = requests(24)
      const parts = [0, 1, 2, 3].map((part) => all.filter((_, index) => index % 4 === part))
      await app.ready()
      const responses = await Promise.all(
        parts.map((part) => {
          const text = part.map(([, one]) => one.replace('Connection: close\r\n', '')).join('')
          return rawSocket(app, [`${text}GET /a99 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`])
        }),
      )
      expect(responses.map(({ statuses }) => statuses.length)).toEqual(parts.map((part) => part.length + 1))
      for (const [url] of all)
        for (const [stage, store] of seen.get(url) ?? [])
          if (stage !== 'onResponse' || transport === 'wire')
            expect([stage, store]).toEqual([stage, stage === 'before' ? undefined : url])
    })

    it('is that of the request up to the hook onResponse, where no other request waits', async () => {
      const { app, seen } = observed()
      for (const url of ['/a0', '/a1', '/s2']) {
        await rawSocket(app, [`GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`])
        await vi.waitFor(() => expect(seen.get(url)?.at(-1)).toEqual(['onResponse', url]))
      }
    })

    it('has an execution id that a hook of async_hooks has seen begin', async () => {
      const begun = new Set<number>()
      const hook = createHook({ before: (id) => void begun.add(id) }).enable()
      const ids: number[] = []
      const app = createApp()
      app.get('/*', async () => {
        ids.push(executionAsyncId())
        await turn()
        ids.push(executionAsyncId())
        return 'x'
      })
      try {
        await rawSocket(app, [
          requests(6)
            .map(([, text]) => text.replace('POST', 'GET'))
            .join(''),
        ])
      } finally {
        hook.disable()
      }
      expect(ids.length).toBe(12)
      expect(ids.filter((id) => !begun.has(id))).toEqual([])
    })

    ours('peers are served by node:http alone')(
      'has entries of http for a PerformanceObserver where Node serves it, and none where the engine does',
      async () => {
        const app = createApp()
        app.get('/*', async () => 'x')
        const names: string[] = []
        const observer = new PerformanceObserver((list) => {
          for (const { name } of list.getEntries()) names.push(name)
        })
        observer.observe({ entryTypes: ['http'] })
        await rawSocket(app, ['GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'])
        await turn()
        for (const { name } of observer.takeRecords()) names.push(name)
        observer.disconnect()
        expect(names).toEqual(transport === 'wire' ? [] : ['HttpRequest'])
      },
    )
  },
  ['socket'],
)
