// A request may be refused while its body still comes. The client gets the whole response, and no reset takes it away
// (RFC 9112 section 9.6).
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe } from 'vitest'
import { certificate } from '../harness/certificate.ts'
import { openSocket } from '../harness/raw-socket.ts'
import { describeTransports } from '../harness/transports.ts'

/** More than the buffers of both systems take. */
const SIZE = 24_000_000
const PIECE = Buffer.alloc(65_536, ' ')

/** Resolves when more can be written, or nothing ever will be. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      socket.off('drain', settle).off('close', settle)
      resolve()
    }
    socket.on('drain', settle).on('close', settle)
  })
}

/** Sends the body to its end before it reads anything, as simple clients do. */
async function upload(socket: Socket, path: string): Promise<{ head: string; errors: unknown[] }> {
  const errors: unknown[] = []
  socket.on('error', (error) => errors.push(error))
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${SIZE}\r\n\r\n`
  socket.pause()
  socket.write(head)
  await sleep(20)
  for (let left = SIZE; left > 0 && !socket.destroyed; left -= PIECE.length)
    if (!socket.write(PIECE.subarray(0, left))) await drained(socket)
  let text = ''
  socket.on('data', (piece: Buffer) => void (text += piece.toString('latin1')))
  socket.resume()
  if (!socket.closed) await once(socket, 'close')
  return { head: text.split('\r\n', 1).join(), errors }
}

describeTransports(
  'responses: refused uploads',
  ({ createApp, expect, ours }) => {
    const test = ours('node:http resets the connection')
    for (const isEncrypted of [false, true]) {
      describe(isEncrypted ? 'over TLS' : 'in clear text', () => {
        const options = { bodyLimit: 1000, ...(isEncrypted ? { https: certificate() } : {}) }

        test('get their response when they are too large', async () => {
          const app = createApp(options)
          app.post('/', async () => 'read')
          const { head, errors } = await upload(await openSocket(app), '/')
          expect([head, errors]).toEqual(['HTTP/1.1 413 Payload Too Large', []])
        })

        test('get their response when a hook refuses them and ends the connection', async () => {
          const app = createApp({ ...options, bodyLimit: SIZE })
          app.addHook('onRequest', async (_request, reply) =>
            reply.code(401).header('connection', 'close').send('no'),
          )
          app.post('/', async () => 'read')
          const { head, errors } = await upload(await openSocket(app), '/')
          expect([head, errors]).toEqual(['HTTP/1.1 401 Unauthorized', []])
        })

        test('keep the connection for the next request, whatever their size', async () => {
          const app = createApp({ ...options, bodyLimit: SIZE })
          app.addHook('onRequest', async (request, reply) => {
            if (request.method === 'POST') return reply.code(401).send('no')
          })
          app.post('/', async () => 'read')
          app.get('/', async () => 'next')
          const socket = await openSocket(app)
          let text = ''
          socket.on('data', (piece: Buffer) => void (text += piece.toString('latin1')))
          socket.write(
            'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n',
          )
          for (let i = 0; i < 40; i++) {
            socket.write(`${PIECE.length.toString(16)}\r\n`)
            socket.write(PIECE)
            if (!socket.write('\r\n')) await drained(socket)
          }
          socket.write('0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
          await once(socket, 'close')
          expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
        })
      })
    }
  },
  ['socket'],
)
