// A response that a handler has fetched is sent on as what it is here: decoded, and over a connection of its own.
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeLanes } from '../lanes.ts'

const CONTENT = 'content of another server '.repeat(20)
const CODED: Readonly<Record<string, Buffer>> = {
  plain: Buffer.from(CONTENT),
  gzip: gzipSync(CONTENT),
  deflate: deflateSync(CONTENT),
  br: brotliCompressSync(CONTENT),
}
/** Fields of the connection to the other server (RFC 9110 section 7.6.1). */
const OF_CONNECTION = ['x-hop', 'proxy-connection', 'te', 'upgrade']

let upstream: Server
let origin = ''

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const [, coding = '', framing = ''] = request.url?.split('/') ?? []
    const content = CODED[coding] ?? Buffer.alloc(0)
    for (const name of OF_CONNECTION) response.setHeader(name, '1')
    if (framing === 'chunks') response.setHeader('trailer', 'x-sum')
    response.setHeader('connection', 'x-hop')
    response.setHeader('keep-alive', 'timeout=99')
    response.setHeader('x-kept', 'yes')
    if (coding !== 'plain') response.setHeader('content-encoding', coding)
    if (framing === 'length') response.setHeader('content-length', content.length)
    else response.write(content.subarray(0, 10))
    response.end(framing === 'length' ? content : content.subarray(10))
  })
  await new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
})
afterAll(() => void upstream.close())

describeLanes('a fetched response', (lane) => {
  for (const coding of Object.keys(CODED)) {
    for (const framing of ['length', 'chunks']) {
      it(`is sent on whole, with no field of another connection: ${coding}, by ${framing}`, async () => {
        const app = lane.createApp()
        app.get('/next', () => 'next')
        app.get('/', () => fetch(`${origin}/${coding}/${framing}`))
        const { first, next, faults } = await lane.ask(app, { path: '/' })
        expect([faults, first?.content, next]).toEqual([[], CONTENT, 'next'])
        const fields = first?.fields ?? new Map<string, readonly string[]>()
        expect(fields.get('x-kept')).toEqual(['yes'])
        expect(fields.has('content-encoding')).toBe(false)
        for (const name of [...OF_CONNECTION, 'trailer'])
          expect([name, fields.get(name)]).toEqual([name, undefined])
        expect(fields.get('keep-alive')?.[0] ?? '').not.toContain('99')
      })
    }
  }
})
