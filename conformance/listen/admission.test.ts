// What every request must fulfil before anything of it is read: the same over every transport.
import { describe, expect } from 'vitest'
import { rawSocket } from '../harness/raw-socket.ts'
import { describeTransports, ours, useApps } from '../harness/transports.ts'

const BAD_HOSTS = [
  'a/b',
  'a b',
  'a@b',
  'a,b',
  'a\\b',
  'a?b',
  'a#b',
  'a:80:80',
  'a:x',
  'a:-1',
  'a:99999',
  '[::1',
  '::1',
  '[::zz]',
  '[fe80::1%25eth0]',
  '<a>',
  '"a"',
  'a%zz',
  'h\u00f6st',
]
const GOOD_HOSTS = ['a', 'a.example:8080', 'a_b', '127.0.0.1:80', '[::1]:3000', '[v1.a:b]', 'a%20b', 'a:', '']

describeTransports(
  'listen: admission',
  ({ createApp, send, ours: oursHere, unlessFetch, expect: expectHere }) => {
    const checksHost = unlessFetch(
      'the URL has been parsed by the platform',
      oursHere('the peers check no Host'),
    )
    checksHost('refuses a malformed Host before any hook runs', async () => {
      const app = createApp()
      let ran = 0
      app.addHook('onRequest', async () => void ran++)
      app.get('/', () => 'x')
      const response = await send(app, { path: '/', headers: { host: 'a/b' } })
      expectHere(response.json()).toEqual({
        statusCode: 400,
        code: 'CLO_ERR_HOST_INVALID',
        error: 'Bad Request',
        message: 'The Host header of the request must be a host with an optional port',
      })
      expectHere([response.headers['connection'], ran]).toEqual(['close', 0])
    })
  },
)

describe('listen: admission of bytes', () => {
  const createApp = useApps()
  const get = (lines: string): string => `GET / HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`

  ours('the peers check no Host')('takes hosts that are one, and no others', async () => {
    const app = createApp()
    app.get('/', () => 'x')
    for (const host of BAD_HOSTS) {
      const { status } = await rawSocket(app, Buffer.from(get(`Host: ${host}\r\n`), 'latin1'))
      expect([host, status]).toEqual([host, 400])
    }
    for (const host of GOOD_HOSTS) {
      expect([host, (await rawSocket(app, get(`Host: ${host}\r\n`))).status]).toEqual([host, 200])
    }
  })

  ours('the peers drop the lines after the first 1,000')('counts header lines', async () => {
    const app = createApp()
    app.get('/', (request) => String(request.headers['x-last']))
    const many = (count: number): string => get(`Host: x\r\n${'a:1\r\n'.repeat(count)}X-Last: seen\r\n`)
    expect((await rawSocket(app, many(997))).body).toBe('seen')
    expect(JSON.parse((await rawSocket(app, many(998))).body)).toMatchObject({
      statusCode: 431,
      code: 'CLO_ERR_HEADERS_TOO_MANY',
    })
    const open = createApp({ maxHeadersCount: 0 })
    open.get('/', (request) => String(request.headers['x-last']))
    expect((await rawSocket(open, many(1500))).body).toBe('seen')
  })

  ours('the peers pass over some of them')(
    'takes chunked as transfer coding, once, and nothing else',
    async () => {
      const app = createApp()
      let handled = 0
      app.post('/', (request) => {
        handled++
        return request.body
      })
      const post = (coding: string): string =>
        `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n${coding}Connection: close\r\n\r\n2\r\nhi\r\n0\r\n\r\n`
      const codings: readonly (readonly [string, number])[] = [
        ['Transfer-Encoding:\r\nContent-Length: 3\r\n', 400],
        ['Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n', 400],
        ['Transfer-Encoding: gzip, chunked\r\n', 501],
      ]
      for (const [lines, status] of codings) {
        const response = await rawSocket(app, post(lines))
        expect([lines, response.statuses]).toEqual([lines, [status]])
      }
      // What follows an empty coding is neither a body nor a request: nothing of it gets a response.
      const open = post('Transfer-Encoding: \r\n').replace('Connection: close\r\n', '')
      expect((await rawSocket(app, open)).statuses).toEqual([400])
      expect(handled).toBe(0)
      expect((await rawSocket(app, post('transfer-encoding: Chunked\r\n'))).body).toContain('hi')
    },
  )

  ours('the peers route it')('refuses * as the target of a GET', async () => {
    const app = createApp()
    app.get('/', () => 'x')
    const { status } = await rawSocket(app, 'GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(status).toBe(400)
  })
})

describeTransports(
  'listen: lengths',
  ({ createApp, it, expect: expectHere }) => {
    it('CVE-2018-7159: are one number each', async () => {
      const app = createApp()
      let handled = 0
      app.post('/', () => `handled ${++handled}`)
      const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: '
      for (const length of ['1 2', '1\t2', '1 ,2', '1 0', '12 x']) {
        const { statuses } = await rawSocket(app, `${head}${length}\r\n\r\nhello hello!`)
        expectHere([length, statuses]).toEqual([length, [400]])
      }
      expectHere(handled).toBe(0)
    })
  },
  ['socket'],
)
