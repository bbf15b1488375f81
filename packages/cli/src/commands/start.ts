import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { findApp } from '../find-app.ts'
import { loadApp } from '../load-app.ts'
import type { LoadedApp } from '../load-app.ts'
import { APP_OPTION } from '../command-line.ts'
import type { Program } from '../command-line.ts'
import { CommandError } from '../session.ts'
import type { Session } from '../session.ts'

/** Adds `cloister start`: the app listens until a signal ends it. */
export function addStart(program: Program, session: Session): void {
  program
    .command('start')
    .description('start the app, and close it when a signal ends it')
    .option('--port <number>', 'the port; 0 for a free one (default: PORT of the environment, or 3000)')
    .option('--host <address>', 'the address (default: HOST of the environment, or localhost)')
    .option('--watch', 'start it again when one of its files changes')
    .option(...APP_OPTION)
    .action(async ({ watch = false, app: file, port, host }) => {
      const given = {
        app: findApp(file, session.folder),
        port: toPort(port),
        host: host ?? process.env['HOST'],
      }
      if (watch) await startWatched(given, session)
      else await start(given, session)
    })
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

interface StartOptions {
  readonly app: string
  readonly port: number
  readonly host: string | undefined
}

async function start({ app: file, port, host }: StartOptions, session: Session): Promise<void> {
  const app = await loadApp(file, { logger: true })
  try {
    const address = await app.listen(host === undefined ? { port } : { port, host })
    session.out(`listening on ${address}\n`)
  } catch (error) {
    await app.close()
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(3, `the app cannot listen: ${reason}\n`, error)
  }
  await untilEnded(app)
  await app.close()
}

/** Waits for a signal, or until the app has closed by itself. */
function untilEnded(app: LoadedApp): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      // Without these listeners a second signal ends the process at once.
      for (const name of SIGNALS) process.off(name, end)
      resolve()
    }
    for (const name of SIGNALS) process.on(name, end)
    app.server.once('close', end)
  })
}

/** Leaves the watching to Node, which starts this command once more without `--watch`. */
async function startWatched({ app, port, host }: StartOptions, session: Session): Promise<void> {
  const main = process.argv[1]
  if (main === undefined) throw new CommandError(2, '--watch needs the command line\n')
  const rest = ['--app', app, '--port', String(port), ...(host === undefined ? [] : ['--host', host])]
  const child = spawn(process.execPath, [...process.execArgv, '--watch', main, 'start', ...rest], {
    cwd: session.folder,
    stdio: 'inherit',
  })
  for (const name of SIGNALS) process.once(name, () => child.kill(name))
  await once(child, 'close')
}

/** Reads a port. */
function toPort(given: string | undefined): number {
  const text = given ?? process.env['PORT'] ?? '3000'
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  const source = given === undefined ? 'PORT' : '--port'
  throw new CommandError(2, `${source} is '${text}'; give a number from 0 to 65535\n`)
}
