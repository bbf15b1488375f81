// What the clients of `npm run soak` send, and the check of each response.
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * @typedef {import('node:events').EventEmitter & { send: (text: string) => void, close: () => void, terminate: () => void }} Client
 *
 * @type {{ WebSocket: new (url: string) => Client }}
 */
const { WebSocket } = createRequire(new URL('../../conformance/plugins/package.json', import.meta.url))('ws')

/**
 * One kind of traffic: sends a request to the port, and returns the response if it is wrong.
 *
 * @typedef {(port: number) => Promise<string | undefined>} Kind
 *
 * @typedef {{ leaveAfterMs?: number, readAfterMs?: number }} Manner what else a client does: it leaves, or starts
 * reading later
 */

const BIG_LENGTH = 2_000_000
const UPLOAD = Buffer.alloc(500_000, 'u')
const MESSAGES = 5

/**
 * Sends bytes over a new connection and returns what it receives.
 *
 * @param {number} port
 * @param {readonly (string | Buffer)[]} chunks
 * @param {Manner} manner
 */
async function send(port, chunks, { leaveAfterMs, readAfterMs }) {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('error', () => {})
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  for (const chunk of chunks) socket.write(chunk)
  if (leaveAfterMs !== undefined) {
    await sleep(leaveAfterMs)
    socket.resetAndDestroy()
    return text
  }
  if (readAfterMs !== undefined) await sleep(readAfterMs)
  socket.on('data', (chunk) => (text += chunk.toString('latin1')))
  await once(socket, 'close')
  return text
}

/**
 * @param {readonly (string | Buffer)[]} chunks
 * @param {(text: string) => boolean} isRight
 * @param {Manner} [manner]
 * @returns {Kind}
 */
function raw(chunks, isRight, manner = {}) {
  return async (port) => {
    const text = await send(port, chunks, manner)
    return isRight(text) ? undefined : text.slice(0, 60)
  }
}

/** @type {Kind} */
async function echoOverWebSocket(port) {
  const client = new WebSocket(`ws://127.0.0.1:${port}/echo`)
  await once(client, 'open')
  for (let sent = 0; sent < MESSAGES; sent++) {
    client.send(`message ${sent}`)
    const [message] = await once(client, 'message')
    if (String(message) !== `message ${sent}`) return `${message}`
  }
  client.close()
  await once(client, 'close')
  return undefined
}

/** @type {Kind} */
async function leaveWebSocket(port) {
  const client = new WebSocket(`ws://127.0.0.1:${port}/echo`)
  await once(client, 'open')
  client.terminate()
  return undefined
}

/** @param {string} path */
const get = (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
const post = `POST /upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/octet-stream\r\nContent-Length: ${UPLOAD.length}\r\n\r\n`

/** Every kind of traffic, by name. @type {Readonly<Record<string, Kind>>} */
export const KINDS = {
  read: raw([get('/users/7')], (text) => text.endsWith('{"id":7}')),
  invalid: raw([get('/users/x')], (text) => text.startsWith('HTTP/1.1 400')),
  malformed: raw(['NOT HTTP\r\n\r\n'], (text) => text.startsWith('HTTP/1.1 400')),
  streamed: raw([get('/stream')], (text) => text.endsWith('0\r\n\r\n')),
  upload: raw([post, UPLOAD], (text) => text.endsWith(`{"length":${UPLOAD.length}}`)),
  'left in a body': raw([post, UPLOAD.subarray(0, 1000)], () => true, { leaveAfterMs: 5 }),
  'left before the response': raw([get('/slow')], () => true, { leaveAfterMs: 5 }),
  'slow reader': raw([get('/big')], (text) => text.length > BIG_LENGTH, { readAfterMs: 300 }),
  'reader that stalls': raw([get('/big').repeat(3)], () => true, { leaveAfterMs: 500 }),
  WebSocket: echoOverWebSocket,
  'WebSocket that is cut': leaveWebSocket,
}
