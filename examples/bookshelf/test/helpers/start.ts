import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

import { createApp } from '../../src/app.ts'

export const ADMIN_KEY = 'a-key-for-the-tests'

/** A client of the running example. */
export interface Running {
  readonly address: string
  /** GET, or another method with a JSON body. */
  send(path: string, options?: SendOptions): Promise<Sendable>
  /** Closes the app; the file stays. */
  stop(): Promise<unknown>
}

export interface SendOptions {
  readonly method?: string
  readonly body?: unknown
  readonly key?: string
}

export interface Sendable {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Starts the app on a free port over a database file. */
export async function start(databaseFile: string): Promise<Running> {
  const app = createApp({ databaseFile, adminKey: ADMIN_KEY, logLevel: 'silent' })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    address,
    send: (path, options) => send(`${address}${path}`, options),
    stop: () => app.close(),
  }
}

async function send(url: string, { method = 'GET', body, key }: SendOptions = {}): Promise<Sendable> {
  const headers: Record<string, string> = { connection: 'close' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (key !== undefined) headers['authorization'] = `Bearer ${key}`
  const response = await fetch(url, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

/** A folder for a database file; who asks for it removes it. */
export async function temporaryFolder(): Promise<{ file: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'bookshelf-'))
  return { file: join(folder, 'bookshelf.db'), remove: () => rm(folder, { recursive: true, force: true }) }
}

/** The app for all tests of a file, over a database of their own. */
export function useShelf(): Pick<Running, 'send'> {
  let running: Running | undefined
  let folder: Awaited<ReturnType<typeof temporaryFolder>> | undefined
  beforeAll(async () => {
    folder = await temporaryFolder()
    running = await start(folder.file)
  })
  afterAll(async () => {
    await running?.stop()
    await folder?.remove()
  })
  return {
    send(path, options) {
      if (running === undefined) throw new Error('the app runs within tests only')
      return running.send(path, options)
    },
  }
}
