// Messages that two readers may cut differently. Behind each of them a request hides: it reaches the app through the
// proxy as a request of its own, with the proxy's mark, or not at all.
import net from 'node:net'
import { get, newAgent } from './client.mjs'
import { count, repeat } from './content.mjs'

const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: hidden\r\n\r\n'
const QUIET_MS = 150

/** A chunked body that ends before the hidden request. */
const CHUNKED = `0\r\n\r\n${HIDDEN}`
/** One that a lax reader ends there, and a strict one later. */
const LAX = [
  `0;\n\r\n\r\n${HIDDEN}`,
  `0 \r\n\r\n${HIDDEN}`,
  `0x0\r\n\r\n${HIDDEN}`,
  `00000000000000000\r\n\r\n${HIDDEN}`,
  `-0\r\n\r\n${HIDDEN}`,
  `0\n\n${HIDDEN}`,
  `0\r\r\n\r\n${HIDDEN}`,
  `1\r\nx0\r\n\r\n${HIDDEN}`,
  `1\r\nx\n0\r\n\r\n${HIDDEN}`,
  `0;a="\r\n\r\n${HIDDEN}"\r\n\r\n`,
  `10000000000000000\r\n\r\n${HIDDEN}`,
  `0\r\nContent-Length: 5\r\n\r\n${HIDDEN}`,
  `0\r\nX: \n\r\n${HIDDEN}`,
]

/** Ways of saying `Transfer-Encoding: chunked`. */
const CODINGS = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding:\x0bchunked',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: "chunked"',
  'Transfer-Encoding: chunked;q=1',
  'Transfer-Encoding: CHUNKED',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked',
  ' Transfer-Encoding: chunked',
  'X: y\n Transfer-Encoding: chunked',
  'X: y\r\n Transfer-Encoding: chunked',
  'X: y\rTransfer-Encoding: chunked',
  'X: y\nTransfer-Encoding: chunked',
  'Transfer_Encoding: chunked',
  'Transfer-Encoding: \0chunked',
  'Transfer-Encoding: ,chunked',
  'Transfer-Encoding:\r\n chunked',
]

/** Ways of saying a length, of so many bytes. @type {readonly ((length: number) => string)[]} */
const LENGTHS = [
  (length) => `Content-Length: ${length}`,
  (length) => `Content-Length: +${length}`,
  (length) => `Content-Length: 0${length}`,
  (length) => `Content-Length: ${length}, ${length}`,
  (length) => `Content-Length: ${length}\r\nContent-Length: 0`,
  (length) => `Content-Length: 0\r\nContent-Length: ${length}`,
  (length) => `Content-Length: 0, ${length}`,
  (length) => `Content-Length : ${length}`,
  (length) => `Content-Length: ${length}.0`,
  (length) => `Content-Length: 0x${length.toString(16)}`,
  (length) => `Content-Length:\x0b${length}`,
  (length) => `Content-Length:\n ${length}`,
  (length) => ` Content-Length: ${length}`,
  (length) => `X: y\rContent-Length: ${length}`,
  (length) => `Content-Length: ${length}\r\nConnection: content-length`,
  (length) => `content_length: ${length}`,
]

/** @param {readonly string[]} lines @param {string} body */
const message = (lines, body) =>
  `POST /upload HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-upload\r\n${lines.join('\r\n')}\r\n\r\n${body}`

/** @returns {string[]} */
export function ambiguousMessages() {
  const all = []
  for (const coding of CODINGS) {
    all.push(
      message([coding], CHUNKED),
      message([coding, `Content-Length: ${CHUNKED.length}`], CHUNKED),
      message([`Content-Length: ${CHUNKED.length}`, coding], CHUNKED),
      message([coding, 'Content-Length: 4'], CHUNKED),
    )
  }
  for (const length of LENGTHS) all.push(message([length(HIDDEN.length)], HIDDEN))
  for (const body of LAX) all.push(message(['Transfer-Encoding: chunked'], body))
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE'])
    all.push(
      `${method} /bytes?size=1 HTTP/1.1\r\nHost: a\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    )
  for (const target of [
    '/bytes?size=1 HTTP/1.1\r\nHost: a\r\n\r\nX:',
    '//a\\b',
    '/a#b',
    '/a b',
    '*',
    'http://b/',
  ])
    all.push(`GET ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`)
  for (const version of ['HTTP/1.0', 'HTTP/0.9', 'HTTP/1.2', 'HTTP/2.0', 'http/1.1', 'HTTP/1.1 '])
    all.push(`POST /upload ${version}\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKED}`)
  for (const lines of [
    'Upgrade: websocket\r\nConnection: upgrade',
    'Expect: 100-continue',
    'Upgrade: h2c\r\nConnection: upgrade',
  ])
    all.push(message([lines, `Content-Length: ${HIDDEN.length}`], HIDDEN), message([lines], HIDDEN))
  return all
}

/** @param {number} port @param {string} text */
async function sendRaw(port, text) {
  const socket = net.connect(port, '127.0.0.1')
  await new Promise((resolve) => {
    socket.on('error', resolve).on('close', resolve)
    socket.on('data', () => {})
    socket.write(text, 'latin1')
    setTimeout(resolve, QUIET_MS)
  })
  socket.destroy()
}

/** @param {import('./scenarios.mjs').Bench} bench */
export async function tryAmbiguous({ proxy, app, port, outcome }) {
  if (proxy === null) return
  const agent = newAgent()
  const before = (await app.ask('figures')).unmarked.length
  const messages = ambiguousMessages()
  await repeat(messages.length, 4, async (index) => {
    await sendRaw(port, messages[index] ?? '')
    // What was left on a connection to the app would come back as the response to another request.
    for (let at = 0; at < 2; at++) {
      const fault = await get({ port, agent, size: 50 })
      count(outcome, fault === null ? null : `a request behind it: ${fault}`)
    }
  })
  const { unmarked } = await app.ask('figures')
  for (const request of unmarked.slice(before)) count(outcome, `smuggled: ${request}`)
  outcome.notes.push(`${messages.length} messages`)
  agent.destroy()
}
