// Apps of random plugins and hooks, and random calls to boot, use and close them: all calls settle, every plugin that
// was loaded closes once, children before their parents, and nothing runs in an app that has closed.
import { describe, expect, it } from 'vitest'
import { Random } from '../../packages/schema/test/validator/random.ts'
import type { App } from '../harness/app-shape.ts'
import { factory, isPeer } from '../harness/subject.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_130)
const APPS = Number(process.env['CLOISTER_BOOTS'] ?? 60)
/** No drawn function takes longer than a few milliseconds. */
const DEADLINE_MS = 4000

const HOOKS = ['onReady', 'onListen', 'preClose', 'onClose'] as const
const ENDS = ['none', 'at once', 'later', 'later', 'fails'] as const
const CALLS = [
  'ready',
  'listen',
  'inject',
  'fetch',
  'close',
  'ready callback',
  'close callback',
  'wait',
] as const

interface DrawnPlugin {
  readonly isAsync: boolean
  readonly fails: boolean
  readonly hooks: readonly (readonly [(typeof HOOKS)[number], (typeof ENDS)[number]])[]
  readonly children: readonly DrawnPlugin[]
}

type DrawnCall = readonly [(typeof CALLS)[number], boolean]

const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

function drawPlugin(random: Random, depth: number): DrawnPlugin {
  const drawEnd = (hook: string): (typeof ENDS)[number] =>
    hook === 'onReady' && random.chance(0.8) ? random.pick(['at once', 'later']) : random.pick(ENDS)
  return {
    isAsync: random.chance(0.6),
    fails: depth > 0 && random.chance(0.05),
    hooks: HOOKS.map((hook) => [hook, drawEnd(hook)]),
    children: Array.from({ length: depth > 1 ? 0 : random.below(3) }, () => drawPlugin(random, depth + 1)),
  }
}

const drawCalls = (random: Random): DrawnCall[] =>
  Array.from({ length: 1 + random.below(6) }, () => [random.pick(CALLS), random.chance(0.6)])

/** Fills a context; notes what is loaded and what runs. */
function fill(app: App, { hooks, children }: DrawnPlugin, label: string, notes: string[]): void {
  notes.push(`loaded ${label}`)
  for (const [hook, end] of hooks) {
    if (end === 'none' && hook !== 'onClose') continue
    app.addHook(hook, async () => {
      if (end === 'later') await wait(2)
      notes.push(`${hook} ${label}`)
      if (end === 'fails') throw new Error(`${hook} of ${label} fails`)
    })
  }
  for (const [index, child] of children.entries()) {
    app.register(async (instance) => {
      if (child.isAsync) await wait(1)
      if (child.fails) throw new Error(`plugin ${label}.${index} fails`)
      fill(instance, child, `${label}.${index}`, notes)
    })
  }
}

async function call(app: App, name: (typeof CALLS)[number]): Promise<unknown> {
  switch (name) {
    case 'ready':
      return app.ready()
    case 'listen':
      return app.listen({ port: 0, host: '127.0.0.1' })
    case 'inject':
      return app.inject('/')
    case 'fetch':
      return app.fetch(new Request('http://localhost/'))
    case 'close':
      return app.close()
    case 'ready callback':
      return new Promise((resolve) => void app.ready((error) => resolve(error)))
    case 'close callback':
      return new Promise((resolve) => void app.close((error) => resolve(error)))
    case 'wait':
      return wait(1)
  }
}

/** Waits for a call, whatever comes of it. */
async function settle(made: Promise<unknown>, isLate: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isLate()
      resolve()
    }, DEADLINE_MS)
  })
  await Promise.race([made.catch(() => {}), late]).finally(() => clearTimeout(timer))
}

/** Makes the calls, closes the app, and returns what ran. */
async function play(plugin: DrawnPlugin, calls: readonly DrawnCall[], options: object): Promise<string[]> {
  const notes: string[] = []
  const app = factory({ ...options })
  fill(app, plugin, 'root', notes)
  app.get('/', async () => 'x')
  const settling: Promise<unknown>[] = []
  const make = (name: (typeof CALLS)[number]): Promise<unknown> => {
    const settled = settle(call(app, name), () => notes.push(`${name} never settles`))
    settling.push(settled)
    return settled
  }
  for (const [name, isAwaited] of calls) {
    const made = make(name)
    if (isAwaited) await made
  }
  await make('close')
  notes.push('closed')
  await make('ready')
  await Promise.all(settling)
  await wait(5)
  return notes
}

/** Returns what should not have happened. */
function faultsOf(notes: readonly string[]): string[] {
  const closes = notes.filter((note) => note.startsWith('onClose ')).map((note) => note.slice(8))
  const loaded = notes.filter((note) => note.startsWith('loaded ')).map((note) => note.slice(7))
  return [
    ...notes.filter((note) => note.endsWith('never settles')),
    ...notes.filter((note, index) => notes.indexOf(note) !== index).map((note) => `twice: ${note}`),
    ...loaded.filter((label) => !closes.includes(label)).map((label) => `not closed: ${label}`),
    ...closes
      .filter((label, index) => closes.slice(index).some((later) => later.startsWith(`${label}.`)))
      .map((label) => `closed before a child: ${label}`),
    ...notes.slice(notes.indexOf('closed') + 1).map((note) => `after the close: ${note}`),
  ]
}

describe.skipIf(isPeer)('calls at random', () => {
  it.each([{}, { transport: 'node' }])(
    `boot and close an app once, with %o (CLOISTER_SEED=${SEED})`,
    async (options) => {
      const random = new Random(SEED)
      for (let index = 0; index < APPS; index++) {
        const plugin = drawPlugin(random, 0)
        const calls = drawCalls(random)
        const notes = await play(plugin, calls, options)
        const shown = `app ${index} of seed ${SEED}: ${JSON.stringify({ calls, notes, plugin })}`
        expect(faultsOf(notes), shown).toEqual([])
      }
    },
  )
})
