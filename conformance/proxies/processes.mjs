// Processes that end with the run: apps, proxies and clients.
import { execFile, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const START_MS = 15_000

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()
/** @type {Set<string>} */
const folders = new Set()

/** @param {import('node:child_process').ChildProcess} child */
function keep(child) {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

process.on('exit', () => {
  for (const child of children) {
    // A proxy with a master process takes its workers along, as the leader of its group.
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      child.kill('SIGKILL')
    }
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/** @returns {string} a folder that is removed at the end; proxies that change their user may write to it */
export function makeFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'cloister-proxies-'))
  chmodSync(folder, 0o777)
  folders.add(folder)
  return folder
}

/** @returns {Promise<number>} */
export async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** @param {string} binary @returns {boolean} */
export function isInstalled(binary) {
  try {
    execFileSync('which', [binary], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The first line with a figure of what a program says of its version. @param {readonly string[]} command */
export async function versionOf([binary = '', ...args]) {
  const { stdout, stderr } = await run(binary, args)
  const line = `${stdout}\n${stderr}`.split('\n').find((one) => /\d\.\d/.test(one)) ?? 'unknown'
  return /\d+(?:\.\d+)+[\w.-]*/.exec(line)?.[0] ?? line
}

/**
 * Runs a program to its end, which comes within a bounded time.
 *
 * @param {string} binary @param {readonly string[]} args @param {{ cwd?: string, seconds?: number, input?: string }} [options]
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
export function run(binary, args, { cwd, seconds = 60 } = {}) {
  return new Promise((resolve) => {
    const options = { cwd, timeout: seconds * 1000, maxBuffer: 64_000_000, killSignal: 'SIGKILL' }
    execFile(binary, [...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, stdout, stderr })
    })
  })
}

/** An app in a process of its own. */
export class App {
  /** @param {import('node:child_process').ChildProcess} child @param {number} port */
  constructor(child, port) {
    this.child = child
    this.port = port
    this.hasDied = false
    child.once('exit', (code) => void (this.hasDied = code !== 0 && code !== null))
  }

  /** @param {string} subject @param {{ port?: number, options?: object }} [given] */
  static async start(subject, { port = 0, options = {} } = {}) {
    const file = path.join(import.meta.dirname, 'app.mjs')
    const child = keep(fork(file, [subject, String(port), JSON.stringify(options)], { detached: true }))
    const [message] = await once(child, 'message')
    return new App(child, message.port)
  }

  /** @param {'figures' | 'close'} message */
  async ask(message) {
    const reply = once(this.child, 'message')
    this.child.send(message)
    return (await reply)[0]
  }

  async stop() {
    if (this.child.exitCode !== null) return
    const exit = once(this.child, 'exit')
    this.child.disconnect()
    await exit
  }
}

/**
 * A proxy, listening.
 *
 * @param {import('./proxies.mjs').Proxy} proxy @param {readonly number[]} apps
 */
export async function startProxy(proxy, apps) {
  const folder = makeFolder()
  const port = await freePort()
  const { files, args } = proxy.configure({ port, apps, folder })
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  const options = { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }
  const child = keep(spawn(proxy.binary, args, { ...options, env: { ...process.env, HOME: folder } }))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => void (output += bytes))
  const until = performance.now() + START_MS
  while (!(await isListening(port))) {
    if (child.exitCode !== null || performance.now() > until) throw new Error(`${proxy.name}: ${output}`)
    await sleep(50)
  }
  return { port, stop: () => stop(child) }
}

/** @param {import('node:child_process').ChildProcess} child */
async function stop(child) {
  if (child.exitCode !== null) return
  const exit = once(child, 'exit')
  try {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
  await exit
}

/** @param {number} port @returns {Promise<boolean>} */
function isListening(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
