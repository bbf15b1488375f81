// Requests over 50 connections to the servers of Bun and Deno: requests per second, and the CPU time of the server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { APPS } from './apps.mjs'

const CONNECTIONS = 50
const ROUNDS = 5
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

/**
 * Measures the apps on one run time. They take turns, and the round with the least CPU time of each is what is printed.
 *
 * @param {readonly string[]} command
 */
export async function measureSockets(command) {
  const servers = await Promise.all(Object.keys(APPS).map((name) => start(command, name)))
  /** @type {(string | number)[][]} */
  const rows = []
  try {
    for (const [route, request] of Object.entries(ROUTES)) {
      /** @type {Map<string, { perSecond: number, cpu: number }>} */
      const best = new Map()
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const server of servers) {
          const before = cpuOf(server.pid)
          const { responses, seconds } = await press(server, request)
          const cpu = ((cpuOf(server.pid) - before) / responses) * 1000
          const known = best.get(server.name)
          const perSecond = Math.max(known?.perSecond ?? 0, responses / seconds)
          best.set(server.name, { perSecond, cpu: Math.min(known?.cpu ?? Infinity, cpu) })
        }
      }
      for (const [name, { perSecond, cpu }] of best)
        rows.push([name, route, Math.round(perSecond), cpu.toFixed(1)])
    }
  } finally {
    for (const server of servers) server.stop()
  }
  return rows
}
