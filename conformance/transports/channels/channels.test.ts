// The diagnostics channels of `node:http`: their subscribers get the same over the engine as over `node:http`, and what
// they enter into the asynchronous context of a request belongs to it alone.
import { describe, expect } from 'vitest'
import { Random } from '../../../packages/schema/test/validator/random.ts'
import type { App } from '../../harness/app-shape.ts'
import { certificate } from '../../harness/certificate.ts'
import { openSocket } from '../../harness/raw-socket.ts'
import { tick } from '../../harness/time.ts'
import { ours, useApps } from '../../harness/transports.ts'
import { drawConnection, type DrawnConnection } from './draw.ts'
import { Notes, type Note } from './notes.ts'
import { addRoutes, loggerOf } from './noting-app.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_129)
const CONNECTIONS = Number(process.env['CLOISTER_CONNECTIONS'] ?? 100)
/** How many are open at a time. */
const AT_ONCE = 50

const isClose = ({ what }: Note): boolean => what.startsWith('event close')
const isMessage = ({ what }: Note): boolean => what.startsWith('http.server')

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await tick()
}

/** Sends the requests of a connection, and waits for its end. */
async function drive(app: App, notes: Notes, { requests, end }: DrawnConnection): Promise<void> {
  const socket = await openSocket(app)
  let isClosed = false
  socket.on('data', () => {})
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  const has = (id: string, is: (note: Note) => boolean): boolean => notes.byId.get(id)?.some(is) === true
  for (const { id, pieces, isPipelined } of requests) {
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) await until(() => isClosed || has(id, () => true))
      socket.write(piece, 'latin1')
    }
    if (!isPipelined && id !== requests.at(-1)?.id) await until(() => isClosed || has(id, isClose))
    if (isClosed) return
  }
  const last = requests.at(-1)?.id ?? ''
  if (end === 'leaves') {
    await until(() => isClosed || has(last, (note) => note.what === 'handler' || isClose(note)))
    socket.destroy()
  }
  await until(() => isClosed)
}

/**
 * What happened to a request, in order. The event `close` of Node's response has no fixed place among those of the app
 * if the client leaves. Node publishes the start of pipelined requests behind the last one that it serves, too, which
 * nothing handles.
 */
function summary(notes: readonly Note[] = []): readonly string[] {
  if (!notes.some(({ what }) => what === 'onRequest')) return []
  return [...notes.filter((note) => !isClose(note)), ...notes.filter(isClose)].map(({ what }) => what)
}

/** The notes, apart from Node's own events, with a store that is not of their request. */
function strayed(id: string, notes: readonly Note[] = []): unknown[] {
  return notes
    .filter(({ what }) => !what.startsWith('event '))
    .filter(({ what, store }) => store !== (what.includes('created') ? undefined : Notes.storeOf(id)))
    .map((note) => ({ id, ...note }))
}

describe('the diagnostics channels of node:http', () => {
  const createApp = useApps()

  /** What happens to the requests of all connections over one transport. */
  async function collect(transport: string, drawn: readonly DrawnConnection[], isEncrypted: boolean) {
    const notes = new Notes()
    try {
      const https = isEncrypted ? { https: certificate() } : {}
      const app = createApp({ transport, ...loggerOf(notes), ...https })
      addRoutes(app, notes)
      for (let start = 0; start < drawn.length; start += AT_ONCE)
        await Promise.all(drawn.slice(start, start + AT_ONCE).map((one) => drive(app, notes, one)))
      await app.close()
      for (let count = 0; count < 5; count++) await tick()
      return { notes: notes.byId, name: app.transport.name }
    } finally {
      notes.stop()
    }
  }

  for (const [isEncrypted, name] of [
    [false, 'node:http'],
    [true, 'node:https'],
  ] as const) {
    const seed = `(CLOISTER_SEED=${SEED})`
    ours('the peers have one engine')(`get the same over the engine as over ${name} ${seed}`, async () => {
      const random = new Random(SEED)
      const drawn = Array.from({ length: CONNECTIONS }, (_, index) => drawConnection(random, 1 + index * 10))
      const byNode = await collect('node', drawn, isEncrypted)
      const byEngine = await collect('auto', drawn, isEncrypted)
      expect([byNode.name, byEngine.name]).toEqual(['node', 'wire'])
      expect([...byEngine.notes.keys()]).not.toContain('')
      const differences: unknown[] = []
      for (const { id, pieces } of drawn.flatMap(({ requests }) => requests)) {
        const [node, engine] = [byNode, byEngine].map(({ notes }) => summary(notes.get(id)))
        if (JSON.stringify(node) !== JSON.stringify(engine)) differences.push({ pieces, node, engine })
      }
      expect(differences.slice(0, 3), `${differences.length} differences`).toEqual([])
      const messages = [...byEngine.notes.values()].flat().filter(isMessage)
      expect(messages.length).toBeGreaterThan(3 * CONNECTIONS)
      const served = drawn.filter(({ isUsual }) => isUsual).flatMap(({ requests }) => requests)
      const foreign = served.flatMap(({ id }) => strayed(id, byEngine.notes.get(id)))
      expect(foreign.slice(0, 5), `${foreign.length} stages without their store`).toEqual([])
    })
  }
})
