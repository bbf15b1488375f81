import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

import { CommandError } from '../session.ts'
import type { Session } from '../session.ts'
import { BY_ITSELF } from './by-itself.ts'
import { HeldPort } from './held-port.ts'
import { FileWatcher } from './watch-files.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** An app that has not ended by then never will: it may loop. The default of `closeGraceMs` is 10 seconds. */
const MAX_END_MS = 11_000

const LISTENS_ITSELF =
  'the app listens by itself, so its port is closed while it starts again; without app.listen(), the port stays open\n'

/** An app that restarts when one of its files changes. */
export interface WatchedApp {
  readonly app: string
  readonly port: number
  readonly host: string | undefined
  readonly rest: readonly string[]
}

/**
 * Keeps the port open, and replaces the process behind it when a file of the app changes. The old app ends first, to
 * release what only one process can hold.
 */
export async function supervise({ app, port, host, rest }: WatchedApp, session: Session): Promise<void> {
  const main = process.argv[1]
  if (main === undefined) throw new CommandError(2, '--watch needs the command line\n')
  const held = new HeldPort()
  const name = `${host?.includes(':') === true ? `[${host}]` : (host ?? 'localhost')}:${await held.listen(port, host)}`
  let address = ['--watched', name]
  const state = { isOver: false, isStale: false, isReady: false }
  let child: ChildProcess | null = null
  let wake = (): void => {}
  const change = (): void => {
    state.isStale = true
    wake()
  }
  const watcher = new FileWatcher(change)
  watcher.add([app])
  const end = (): void => {
    // The second signal kills the app.
    child?.kill(state.isOver ? 'SIGKILL' : 'SIGTERM')
    state.isOver = true
    wake()
  }
  for (const signal of SIGNALS) process.on(signal, end)

  while (!state.isOver) {
    Object.assign(state, { isStale: false, isReady: false })
    const current = fork(main, ['start', '--app', app, ...address, ...rest], {
      cwd: session.folder,
      // Makes Node.js report the files that it loads to the parent process.
      env: { ...process.env, WATCH_REPORT_DEPENDENCIES: '1' },
    })
    child = current
    current.on('message', (message) => {
      if (message === 'listens') {
        address = [
          '--watched',
          BY_ITSELF,
          '--port',
          String(port),
          ...(host === undefined ? [] : ['--host', host]),
        ]
        held.close()
        session.err(LISTENS_ITSELF)
        return change()
      }
      if (message !== 'ready') return watcher.add(filesOf(message))
      state.isReady = true
      if (!state.isStale) held.leadTo(current)
    })
    const ended = once(current, 'close')
    const changed = new Promise<void>((resolve) => (wake = resolve))
    // If an app does not start, wait for the change that fixes it.
    await Promise.race([changed, ended.then(() => held.leadTo(null))])
    held.leadTo(null)
    if (state.isStale && !state.isReady) current.kill()
    else if (state.isStale && current.connected) current.send('close')
    const deadline = setTimeout(() => current.kill('SIGKILL'), MAX_END_MS)
    await ended
    clearTimeout(deadline)
    await changed
  }
  for (const signal of SIGNALS) process.off(signal, end)
  watcher.close()
  held.close()
}

function filesOf(message: unknown): string[] {
  if (typeof message !== 'object' || message === null) return []
  const { 'watch:import': imported, 'watch:require': required }: Record<string, unknown> = { ...message }
  return [imported, required].flat().filter((file) => typeof file === 'string')
}
