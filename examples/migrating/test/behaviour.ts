import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** What the tests need of the app. It is plain JavaScript, as many apps are. */
interface App {
  listen(options: { port: number; host: string }): Promise<string>
  close(): Promise<unknown>
}

/** What a client of the app sees, whichever framework it runs on. */
export function describeApp(name: 'Cloister' | 'Fastify 5'): void {
  describe(`the app on ${name}`, () => {
    let app: App
    let address = ''
    const send = (path: string, init: RequestInit = {}): Promise<Response> => {
      const headers = new Headers(init.headers)
      headers.set('connection', 'close')
      return fetch(`${address}${path}`, { ...init, headers })
    }
    const json = (method: string, body: unknown): RequestInit => ({
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

    beforeAll(async () => {
      const { build } = await import(new URL('../src/app.js', import.meta.url).href)
      app = build()
      address = await app.listen({ port: 0, host: '127.0.0.1' })
    })

    afterAll(() => app.close())

    it(`runs on ${name} indeed`, () => {
      expect('cloisterVersion' in app).toBe(name === 'Cloister')
    })

    it('takes JSON and forms, and sends what the schema declares', async () => {
      const posted = await send('/todos', json('POST', { text: ' read ' }))
      expect(posted.status).toBe(201)
      expect(await posted.json()).toEqual({ id: 1, text: 'read', done: false })
      const form = await send('/todos', { method: 'POST', body: new URLSearchParams({ text: 'write' }) })
      expect(await form.json()).toEqual({ id: 2, text: 'write', done: false })
      const list = await send('/todos')
      expect(await list.json()).toMatchObject([{ id: 1 }, { id: 2 }])
    })

    it('changes a todo', async () => {
      const changed = await send('/todos/1', json('PATCH', { done: 'true' }))
      expect(await changed.json()).toEqual({ id: 1, text: 'read', done: true })
    })

    it('responds to validation errors by its own error handler', async () => {
      const refused = await send('/todos', json('POST', { text: '' }))
      expect(refused.status).toBe(400)
      expect(await refused.json()).toEqual({
        oops: 'body/text must NOT have fewer than 1 characters',
        where: 'body',
      })
    })

    it('responds to what is not there by its own not-found handler', async () => {
      for (const [path, init] of [
        ['/nothing', {}],
        ['/todos/99', json('PATCH', { done: true })],
      ] as const) {
        const response = await send(path, init)
        expect(response.status).toBe(404)
        expect(await response.json()).toEqual({
          message: `${'method' in init ? init.method : 'GET'} ${path} is not here`,
        })
      }
    })

    it('counts visits by a cookie of a published plugin', async () => {
      const first = await send('/todos')
      expect(first.headers.get('set-cookie')).toMatch(/^visits=1; Path=\/; HttpOnly/)
      const second = await send('/todos', { headers: { cookie: 'visits=1' } })
      expect(second.headers.get('x-visits')).toBe('2')
    })
  })
}
