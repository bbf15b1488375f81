// Requests over 50 connections to the servers of Bun and Deno: requests per second, and the CPU time of the server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { APPS } from './apps.mjs'

const CONNECTIONS = 50
const ROUNDS = 9
/** what the others are compared with, in the same round */
const REFERENCE = 'Hono + zod'
const MS = 800

const BODY = JSON.stringify({ name: 'ada', age: 36 })
const ROUTES = {
  GET: 'GET /users/7?full=true HTTP/1.1\r\nhost: localhost\r\n\r\n',
  POST: `POST /users HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
}

/** @typedef {{ name: string, port: number, pid: number, stop(): void }} Server */

/** @param {readonly string[]} command @param {string} name @returns {Promise<Server>} */
async function start(command, name) {
  const [program = '', ...args] = command
  const child = spawn(program, [...args, path.join(import.meta.dirname, 'serve.mjs'), name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return { name, port: Number(String(line)), pid: child.pid ?? 0, stop: () => void child.kill() }
}

/** CPU time of a process, in milliseconds; Linux counts in hundredths of a second. @param {number} pid */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Sends a request as soon as the one before has its response, on each connection. @param {Server} server @param {string} request */
async function press({ port }, request) {
  let responses = 0
  let isOver = false
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) {
    socket.setNoDelay()
    socket.on('data', (bytes) => {
      // A response that comes in two pieces has its status line in one.
      if (!bytes.includes('HTTP/1.1 200')) return
      responses += 1
      if (!isOver) socket.write(request)
    })
  }
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const since = performance.now()
  for (const socket of sockets) socket.write(request)
  await new Promise((resolve) => setTimeout(resolve, MS))
  isOver = true
  const seconds = (performance.now() - since) / 1000
  for (const socket of sockets) socket.destroy()
  return { responses, seconds }
}

/** @param {readonly number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN
}

/**
 * Measures the apps on one run time. They take turns. It prints the least CPU time of each, and the median of its ratios
 * to the reference in the same round.
 *
 * @param {readonly string[]} command
 */
export async function measureSockets(command) {
  const servers = await Promise.all(Object.keys(APPS).map((name) => start(command, name)))
  /** @type {(string | number)[][]} */
  const rows = []
  try {
    for (const [route, request] of Object.entries(ROUTES)) {
      /** @type {Record<string, { perSecond: number, cpu: number }[]>} */
      const found = Object.fromEntries(servers.map(({ name }) => [name, []]))
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
          const before = cpuOf(server.pid)
          const { responses, seconds } = await press(server, request)
          const cpu = ((cpuOf(server.pid) - before) / responses) * 1000
          found[server.name]?.push({ perSecond: responses / seconds, cpu })
        }
      }
      const reference = found[REFERENCE] ?? []
      for (const [name, rounds] of Object.entries(found)) {
        const ratio = median(rounds.map(({ cpu }, round) => cpu / (reference[round]?.cpu ?? NaN)))
        const perSecond = Math.round(Math.max(...rounds.map((one) => one.perSecond)))
        const cpu = Math.min(...rounds.map((one) => one.cpu))
        rows.push([name, route, perSecond, cpu.toFixed(1), ratio.toFixed(2)])
      }
    }
  } finally {
    for (const server of servers) server.stop()
  }
  return rows
}
