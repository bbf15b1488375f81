// Requests to a process over its standard streams, in the framing of language servers.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const TIMEOUT_MS = 120_000

/**
 * @typedef {object} Connection
 * @property {(method: string, params?: object) => Promise<unknown>} request
 * @property {(method: string, params?: object) => void} notify
 * @property {() => number} cpuMs milliseconds of CPU that the process has spent; `NaN` on systems without /proc
 * @property {Promise<void>} ended settles when the process has ended
 */

/**
 * A property of a value that came from elsewhere.
 *
 * @param {unknown} value
 * @param {string} key
 * @returns {unknown}
 */
export function member(value, key) {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/**
 * Starts a server and speaks to it.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Connection}
 */
export function connect(command, args, cwd) {
  const child = spawn(command, args, { cwd, stdio: 'pipe' })
  let complaint = ''
  child.stderr.on('data', (/** @type {Buffer} */ chunk) => (complaint += chunk.toString()))
  /** @type {Map<number, { resolve: (result: unknown) => void, reject: (error: Error) => void }>} */
  const waiting = new Map()
  let last = 0
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => {
    child.on('close', () => {
      for (const { reject } of waiting.values())
        reject(new Error(`the language server has ended: ${complaint}`))
      resolve()
    })
  })
  /** @param {object} message */
  const write = (message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  readMessages(child.stdout, (message) => {
    const id = member(message, 'id')
    if (typeof member(message, 'method') === 'string') {
      // The server asks as well; what it asks for does not matter here, but it waits for a response.
      if (id !== undefined) write({ id, result: null })
    } else if (typeof id === 'number') {
      settle(waiting.get(id), message)
      waiting.delete(id)
    }
  })
  return {
    ended,
    cpuMs: () => cpuOf(child.pid),
    notify: (method, params) => write({ method, params }),
    request: (method, params) => {
      const id = ++last
      const timer = setTimeout(() => child.kill(), TIMEOUT_MS)
      /** @type {Promise<unknown>} */
      const response = new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        write({ id, method, params })
      })
      return response.finally(() => clearTimeout(timer))
    },
  }
}

/**
 * @param {{ resolve: (result: unknown) => void, reject: (error: Error) => void } | undefined} call
 * @param {unknown} message
 */
function settle(call, message) {
  const error = member(message, 'error')
  if (error === undefined) call?.resolve(member(message, 'result'))
  else call?.reject(new Error(`the language server refuses: ${String(member(error, 'message'))}`))
}

/**
 * The 14th and 15th field of the file are the time in user and kernel mode, in hundredths of a second (proc(5)).
 *
 * @param {number | undefined} pid
 */
function cpuOf(pid) {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return Number.NaN
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

/**
 * Cuts a stream into messages: a header with the length of the body, an empty line, the body.
 *
 * @param {import('node:stream').Readable} stream
 * @param {(message: unknown) => void} take
 */
function readMessages(stream, take) {
  let rest = Buffer.alloc(0)
  stream.on('data', (/** @type {Buffer} */ chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (let body = nextBody(rest); body !== undefined; body = nextBody(rest)) {
      rest = rest.subarray(body.end)
      take(JSON.parse(body.text))
    }
  })
}

/** @param {Buffer} bytes */
function nextBody(bytes) {
  const start = bytes.indexOf('\r\n\r\n') + 4
  if (start < 4) return undefined
  const length = Number(/Content-Length: (\d+)/i.exec(bytes.toString('latin1', 0, start))?.[1])
  if (!Number.isInteger(length)) throw new Error('a message of the language server states no length')
  const end = start + length
  return bytes.length < end ? undefined : { text: bytes.toString('utf8', start, end), end }
}
