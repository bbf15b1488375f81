// Problem details for what never reaches a route: bytes that are no request, and an app that closes.
import { Ajv } from 'ajv'
import { describe, expect } from 'vitest'
import { openSocket, rawSocket } from '../harness/raw-socket.ts'
import { createGate, tick } from '../harness/time.ts'
import { ours, useApps } from '../harness/transports.ts'

const REASON = 'the peers have no problem details'
const PROBLEM = 'application/problem+json; charset=utf-8'

const isProblem = new Ajv().compile({
  type: 'object',
  additionalProperties: false,
  required: ['type', 'title', 'status'],
  properties: {
    type: { const: 'about:blank' },
    title: { type: 'string', minLength: 1 },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', minLength: 1 },
    instance: { type: 'string' },
    code: { type: 'string', pattern: '^CLO_ERR_' },
  },
})

const get = (lines: string, version = '1.1'): string =>
  `GET / HTTP/${version}\r\n${lines}Connection: close\r\n\r\n`

/** What a client may write, with the status of its refusal. */
const REFUSED: readonly (readonly [string, number, string])[] = [
  ['no request', 400, 'nonsense\r\n\r\n'],
  ['a field without a name', 400, get('Host: x\r\n: y\r\n')],
  ['two lengths', 400, get('Host: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n')],
  ['a head that is too large', 431, get(`Host: x\r\nX: ${'x'.repeat(20_000)}\r\n`)],
  ['a malformed Host', 400, get('Host: a/b\r\n')],
  ['a path that cannot be decoded', 400, get('Host: x\r\n').replace('/', '/%ff')],
  ['a version that is not supported', 505, get('Host: x\r\n', '2.0')],
]

for (const transport of ['node', 'auto'] as const) {
  describe(`refusals as problem details, transport: ${transport}`, () => {
    const createApp = useApps()

    for (const [name, status, bytes] of REFUSED) {
      ours(REASON)(`are sent for ${name}`, async () => {
        const app = createApp({ transport, problemDetails: 'accepted' })
        app.get('/', () => 'never')
        const response = await rawSocket(app, bytes)
        expect([response.status, response.headers['content-type']]).toEqual([status, PROBLEM])
        const problem: unknown = JSON.parse(response.body)
        expect(isProblem(problem), JSON.stringify(problem)).toBe(true)
        expect(problem).toMatchObject({ status })
      })
    }

    ours(REASON)('are sent for a head that does not arrive in time', async () => {
      const app = createApp({
        transport,
        problemDetails: true,
        http: { headersTimeout: 100, connectionsCheckingInterval: 20 },
      })
      const response = await rawSocket(app, 'GET / HTTP/1.1\r\nHost: x\r\n')
      expect([response.status, response.headers['content-type']]).toEqual([408, PROBLEM])
      expect(isProblem(JSON.parse(response.body))).toBe(true)
    })

    for (const [accept, type] of [
      ['*/*', PROBLEM],
      ['application/json', 'application/json'],
    ]) {
      ours(REASON)(`are sent while the app closes, with Accept: ${accept}`, async () => {
        const app = createApp({ transport, problemDetails: 'accepted' })
        const gate = createGate()
        app.addHook('preClose', async () => gate.promise)
        app.get('/', () => 'never')
        const socket = await openSocket(app)
        const closing = app.close()
        await tick()
        let text = ''
        socket.on('data', (chunk) => void (text += chunk.toString()))
        const ended = new Promise((resolve) => socket.on('close', resolve))
        socket.write(get(`Host: x\r\nAccept: ${accept}\r\n`))
        await ended
        gate.open()
        await closing
        const [head = '', body = ''] = text.split('\r\n\r\n')
        expect(head).toMatch(/^HTTP\/1\.1 503 /)
        expect(head.toLowerCase()).toContain(`content-type: ${type}`.toLowerCase())
        expect(head.toLowerCase()).toContain('vary: accept')
        expect(isProblem(JSON.parse(body))).toBe(type === PROBLEM)
      })
    }

    // Node itself responds to such a request, without content.
    if (transport === 'auto') {
      ours(REASON)('are sent for a head without Host', async () => {
        const response = await rawSocket(createApp({ transport, problemDetails: true }), get(''))
        expect([response.status, response.headers['content-type']]).toEqual([400, PROBLEM])
      })
    }

    ours(REASON)('are not the default', async () => {
      const response = await rawSocket(createApp({ transport }), 'nonsense\r\n\r\n')
      expect(response.headers['content-type']).toBe('application/json')
      expect(JSON.parse(response.body)).toEqual({
        error: 'Bad Request',
        message: 'Client Error',
        statusCode: 400,
      })
    })
  })
}
