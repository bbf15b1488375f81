// Servers of Redis (or Valkey) and Postgres, as Debian installs them.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/**
 * A server that a test can stop, pause and start again on the same port. Paused, it accepts connections and responds to
 * none.
 *
 * @typedef {object} StoreServer
 * @property {number} port
 * @property {() => Promise<void>} kill
 * @property {() => Promise<void>} start
 * @property {() => void} pause
 * @property {() => void} continue
 * @property {() => Promise<void>} remove
 */

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** @param {readonly string[]} names @param {readonly string[]} folders */
function binaryOf(names, folders) {
  const found = folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(existsSync)
  if (found === undefined) throw new Error(`install ${names.join(' or ')} first`)
  return found
}

const onPath = (process.env['PATH'] ?? '').split(path.delimiter)

/**
 * Sends a signal to a server and its processes: those of Postgres each lead a session of their own.
 *
 * @param {ChildProcess | null} child @param {NodeJS.Signals} name
 */
function signal(child, name) {
  const pid = child?.pid
  if (pid === undefined) return
  const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  for (const one of [pid, ...own.map(Number)]) process.kill(one, name)
}

/** @param {number} port @param {string} folder @param {() => Promise<ChildProcess>} run @returns {StoreServer} */
function createServerProcess(port, folder, run) {
  /** @type {ChildProcess | null} */
  let child = null
  const kill = async () => {
    const running = child
    child = null
    if (running === null || running.exitCode !== null) return
    const exited = once(running, 'exit')
    signal(running, 'SIGKILL')
    await exited
  }
  return {
    port,
    kill,
    async start() {
      child = await run()
    },
    pause: () => signal(child, 'SIGSTOP'),
    continue: () => signal(child, 'SIGCONT'),
    async remove() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** @param {ChildProcess} child @param {'stdout' | 'stderr'} stream @param {string} text */
async function ready(child, stream, text) {
  let log = ''
  for await (const chunk of child[stream] ?? []) {
    log += String(chunk)
    if (!log.includes(text)) continue
    child[stream]?.resume()
    return child
  }
  throw new Error(`the server did not start:\n${log}`)
}

/**
 * Starts a server of Redis.
 *
 * @param {{ keepsData?: boolean }} [options] whether it has what it confirmed when it is started again
 */
export async function startRedis({ keepsData = false } = {}) {
  const binary = binaryOf(['valkey-server', 'redis-server'], [...onPath, '/usr/bin'])
  const port = await freePort()
  const folder = mkdtempSync(path.join(tmpdir(), 'cloister-redis-'))
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  if (keepsData) args.push('--appendonly', 'yes', '--appendfsync', 'always')
  const server = createServerProcess(port, folder, async () =>
    ready(spawn(binary, args, { stdio: ['ignore', 'pipe', 'ignore'] }), 'stdout', 'Ready to accept'),
  )
  await server.start()
  return server
}

/** Starts a server of Postgres; as root, for its own user. */
export async function startPostgres() {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).map((version) => path.join(root, version, 'bin')) : []
  const binary = binaryOf(['postgres'], [...onPath, ...versions])
  const port = await freePort()
  const folder = mkdtempSync(path.join(tmpdir(), 'cloister-postgres-'))
  const user = userOf('postgres')
  if (user !== null) chownSync(folder, user.uid, user.gid)
  const as = { ...user, cwd: folder }
  const data = path.join(folder, 'data')
  execFileSync(
    path.join(path.dirname(binary), 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-N'],
    as,
  )
  const args = ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1']
  const server = createServerProcess(port, folder, async () =>
    ready(
      spawn(binary, args, {
        ...as,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, LC_ALL: 'C' },
      }),
      'stderr',
      'ready to accept',
    ),
  )
  await server.start()
  return server
}

/** @param {string} name */
function userOf(name) {
  if (process.getuid?.() !== 0) return null
  const id = (/** @type {string} */ flag) => Number(execFileSync('id', [flag, name]).toString())
  return { uid: id('-u'), gid: id('-g') }
}
