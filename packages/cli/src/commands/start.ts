import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import { Option } from '@commander-js/extra-typings'

import { membersOf } from '../app-form.ts'
import { findApp } from '../find-app.ts'
import { isApp, loadApp } from '../load-app.ts'
import type { LoadedApp } from '../load-app.ts'
import { APP_OPTION } from '../command-line.ts'
import type { Program } from '../command-line.ts'
import { CommandError } from '../session.ts'
import type { Session } from '../session.ts'
import { BY_ITSELF } from '../watch/by-itself.ts'
import { writeTypes } from './types.ts'

/** Adds `cloister start`: the app listens until a signal ends it. */
export function addStart(program: Program, session: Session): void {
  program
    .command('start')
    .argument('[file]', 'the file of the app, as with --app; it may listen by itself')
    .description('start the app, and close it when a signal ends it')
    .option('--port <number>', 'the port; 0 for a free one (default: PORT of the environment, or 3000)')
    .option('--host <address>', 'the address (default: HOST of the environment, or localhost)')
    .option('--watch', 'start it again when one of its files changes; the port stays open meanwhile')
    .option(
      '--types <file>',
      'with each start, write the types of the routes for @cloister/client to this file',
    )
    .addOption(new Option('--watched <address>', 'for --watch: connections come from the parent').hideHelp())
    .option(...APP_OPTION)
    .action(async (file, { watch = false, watched, types, app, port, host = process.env['HOST'] }) => {
      const given: StartOptions = {
        app: findApp(file ?? app, session.folder),
        port: toPort(port),
        host,
        types,
        watched,
      }
      if (!watch) return start(given, session)
      const { supervise } = await import('../watch/supervise.ts')
      return supervise({ ...given, rest: types === undefined ? [] : ['--types', types] }, session)
    })
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** The key on listeners of signals that drain the app, as `@cloister/operate` has them. */
const DRAINS: unique symbol = Symbol.for('cloister.drains')

interface StartOptions {
  readonly app: string
  readonly port: number
  readonly host: string | undefined
  readonly types: string | undefined
  /** The address at which the parent process listens for this one, or {@link BY_ITSELF}. */
  readonly watched: string | undefined
}

/** An app that listens. */
interface Started {
  readonly app: LoadedApp
  /** the open connections that the parent process has accepted */
  readonly received: ReadonlySet<Socket>
}

async function start(options: StartOptions, session: Session): Promise<void> {
  const made = new Set<unknown>()
  const ending = new AbortController()
  const starting = open(options, session, made, ending.signal)
  const signalled = (): Promise<null> => firstSignal(() => ending.abort())
  // A watched app that has changed while it starts ends at once.
  const signal = options.watched === undefined ? signalled() : starting.then(signalled)
  const started = await Promise.race([starting, signal])
  // An app that closes cannot listen any more.
  starting.catch(() => {})
  const apps = (): LoadedApp[] => [...made].map(membersOf).filter(isApp)
  if (started === null) return closeAll(apps())
  const { app, received } = started
  await untilEnded(app, signal)
  // To close an app that is not used would load its plugins.
  await closeAll([app, ...apps().filter((one) => one.addresses().length > 0)])
  // The server does not count connections that it did not accept itself.
  await Promise.race([Promise.all([...received].map(untilClosed)), pause(IN_FLIGHT_MS)])
}

/**
 * @param made - updated to contain the apps that are made
 * @param ending - aborts at the first signal
 */
async function open(
  options: StartOptions,
  session: Session,
  made: Set<unknown>,
  ending: AbortSignal,
): Promise<Started> {
  const { app: file, types } = options
  const watched = options.watched === BY_ITSELF ? undefined : options.watched
  const add = (one: unknown): void => void made.add(one)
  const loading = loadApp(file, { defaults: { logger: true }, change: add, ending })
  const app = await loading.catch(async (error: unknown) => {
    const text = error instanceof Error ? error.message : ''
    // The parent process has the port.
    throw watched !== undefined && text.includes('EADDRINUSE') ? await leavePort(error) : error
  })
  if (watched !== undefined && app.addresses().length > 0) {
    await app.close()
    throw await leavePort()
  }
  // The parent has ended without a signal.
  if (options.watched !== undefined) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  const received = new Set<Socket>()
  try {
    if (types !== undefined) await writeTypes(app, { out: types, failures: true }, session)
    const address = watched === undefined ? await listen(app, options) : await receive(app, watched, received)
    // The logger of the app has written the address.
    if (!hasLogger(app) && !ending.aborted) session.out(`listening on ${address}\n`)
  } catch (error) {
    await app.close()
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(3, `the app cannot listen: ${reason}\n`, error)
  }
  return { app, received }
}

/**
 * Closes apps that the file has made. The signal alone would end the process before `onClose`, or do nothing where the
 * process is the first one of a container.
 */
async function closeAll(apps: readonly LoadedApp[]): Promise<void> {
  const results = await Promise.allSettled(apps.map((one) => one.close()))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** Makes the parent process close the port, and start the app as it is. */
async function leavePort(cause?: unknown): Promise<CommandError> {
  await new Promise((resolve) => process.send?.('listens', resolve) ?? resolve(null))
  return new CommandError(3, '', cause)
}

function untilClosed(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('close', resolve))
}

/** Makes an app listen, unless its file did that. */
async function listen(app: LoadedApp, { port, host }: StartOptions): Promise<string> {
  const [own] = app.addresses()
  if (own === undefined) return app.listen(host === undefined ? { port } : { port, host })
  if (typeof own === 'string') return own
  const name = own.family === 'IPv6' ? `[${own.address}]` : own.address
  return `${app.initialConfig.https ? 'https' : 'http'}://${name}:${own.port}`
}

function hasLogger(app: LoadedApp): boolean {
  const { level } = app.log
  return level !== undefined && level !== 'silent'
}

/**
 * Makes an app listen on a private port, and gives it the connections of the parent process.
 *
 * @param received - updated to contain the open ones
 */
async function receive(app: LoadedApp, watched: string, received: Set<Socket>): Promise<string> {
  const own = await app.listen({
    port: 0,
    host: '127.0.0.1',
    listenTextResolver: (address) => `Server listening at ${publicAddress(address, watched)}`,
  })
  process.on('message', (message, handle) => {
    if (message !== 'connection' || !(handle instanceof Socket)) return
    received.add(handle)
    handle.once('close', () => received.delete(handle))
    app.server.emit('connection', handle)
    handle.resume()
  })
  process.send?.('ready')
  return publicAddress(own, watched)
}

function publicAddress(own: string, watched: string): string {
  return `${own.slice(0, own.indexOf('//'))}//${watched}`
}

/** Time for requests in flight after a change. An open stream must not delay the new app any longer. */
const IN_FLIGHT_MS = 1_000

/** Time for requests to arrive on connections that were opened just before a change. */
const ARRIVAL_MS = 30

/**
 * Calls a function at the first signal, and resolves to `null` unless the app drains. The second one has no listener and
 * ends the process at once. Listeners that took turns would lose a signal that comes between them.
 */
function firstSignal(onSignal: () => void): Promise<null> {
  return new Promise((resolve) => {
    const end = (signal: NodeJS.Signals): void => {
      for (const name of SIGNALS) process.off(name, end)
      onSignal()
      // The app ends itself after its drain, which a close would cut short.
      if (!process.listeners(signal).some((listener) => Reflect.has(listener, DRAINS))) resolve(null)
    }
    for (const name of SIGNALS) process.on(name, end)
  })
}

function untilEnded(app: LoadedApp, signal: Promise<unknown>): Promise<unknown> {
  const ended = new Promise<void>((resolve) => {
    process.on('message', (message) => void (message === 'close' && pause(ARRIVAL_MS).then(resolve)))
    app.server.once('close', resolve)
  })
  return Promise.race([signal, ended])
}

function toPort(given: string | undefined): number {
  const text = given ?? process.env['PORT'] ?? '3000'
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  const source = given === undefined ? 'PORT' : '--port'
  throw new CommandError(2, `${source} is '${text}'; give a number from 0 to 65535\n`)
}
