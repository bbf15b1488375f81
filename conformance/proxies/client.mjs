// A client of HTTP/1.1 that checks each response by the token of its request.
import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import { contentOf, newToken } from './content.mjs'

const TIMEOUT_MS = 20_000

/**
 * @typedef {object} Asked
 * @property {number} status 0 where no response came
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {Buffer} content
 * @property {boolean} isWhole the client takes the response for whole
 * @property {string | null} error
 *
 * @typedef {object} Question
 * @property {number} port
 * @property {string} path
 * @property {string} [method]
 * @property {Record<string, string>} [headers]
 * @property {Buffer} [body]
 * @property {boolean} [isChunked]
 * @property {number} [piece] the body is written in such pieces
 * @property {Agent} [agent]
 * @property {(response: import('node:http').IncomingMessage, asked: import('node:http').ClientRequest) => void} [onResponse]
 */

/** @param {Question} question @returns {Promise<Asked>} */
export function ask({ port, path, method = 'GET', headers = {}, body, isChunked, piece, agent, onResponse }) {
  return new Promise((resolve) => {
    const framing = body === undefined || isChunked === true ? {} : { 'content-length': String(body.length) }
    /** @type {Asked} */
    const asked = { status: 0, headers: {}, content: Buffer.alloc(0), isWhole: false, error: null }
    const settle = (error = null) => {
      clearTimeout(timer)
      asked.error ??= error
      resolve(asked)
    }
    const client = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { ...framing, ...headers },
      ...(agent === undefined ? { agent: false } : { agent }),
    })
    const timer = setTimeout(() => {
      settle('timeout')
      client.destroy()
    }, TIMEOUT_MS)
    client.on('error', (error) => settle(error.code ?? error.message))
    client.on('response', (response) => {
      const pieces = []
      asked.status = response.statusCode ?? 0
      asked.headers = response.headers
      response.on('data', (bytes) => pieces.push(bytes))
      response.on('error', () => {})
      response.on('close', () => {
        asked.content = Buffer.concat(pieces)
        asked.isWhole = response.complete
        settle(response.complete ? null : 'cut')
      })
      onResponse?.(response, client)
    })
    if (body === undefined) client.end()
    else if (piece === undefined && isChunked !== true) client.end(body)
    else void writePieces(client, body, piece ?? 16_384)
  })
}

/** @param {import('node:http').ClientRequest} client @param {Buffer} body @param {number} size */
async function writePieces(client, body, size) {
  for (let at = 0; at < body.length && !client.destroyed; at += size) {
    if (!client.write(body.subarray(at, at + size))) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  client.end()
}

/** @returns {Agent} */
export function newAgent() {
  return new Agent({ keepAlive: true, maxSockets: 8 })
}

/** Asks for a content and checks it. @param {Omit<Question, 'path'> & { size: number, kind?: string }} question */
export async function get({ size, kind = 'bytes?', ...question }) {
  const token = newToken()
  const asked = await ask({ ...question, path: `/${kind}token=${token}&size=${size}` })
  return faultOf(asked, token, contentOf(token, size))
}

/** Sends a content and checks its hash. @param {Omit<Question, 'path'> & { size: number }} question */
export async function upload({ size, ...question }) {
  const token = newToken()
  const body = contentOf(token, size)
  const headers = { 'content-type': 'application/x-upload' }
  const asked = await ask({ ...question, method: 'POST', headers, path: `/upload?token=${token}`, body })
  const hash = createHash('sha256').update(body).digest('hex')
  return faultOf(asked, token, Buffer.from(JSON.stringify({ size, hash })))
}

/** @param {Asked} asked @param {string} token @param {Buffer} expected */
function faultOf({ status, headers, content, error }, token, expected) {
  if (status === 0) return error ?? 'no response'
  if (status !== 200) return `status ${status}`
  if (headers['x-token'] !== token) return 'the response of another request'
  if (error !== null) return error
  return content.equals(expected) ? null : 'another content'
}
