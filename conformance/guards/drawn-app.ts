// The app of a case, which writes down what ran for each request.
import { Readable } from 'node:stream'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { createGate, tick } from '../harness/time.ts'
import type { Gate } from '../harness/time.ts'
import type { Call, Entry, Node } from './draw.ts'

/** What happened to one request. */
export interface Story {
  readonly call: Call
  /** entries and the handler, when they began */
  readonly ran: (number | 'handler')[]
  readonly taken: number[]
  readonly released: number[]
  readonly faults: string[]
  /** what runs now */
  running: number
  releasing: number
  isOver: boolean
  /** the request waits for its client to leave */
  readonly arrived: Gate<void>
  readonly left: Gate<void>
}

/** Creates the story of a request. */
export function createStory(call: Call): Story {
  return {
    call,
    ran: [],
    taken: [],
    released: [],
    faults: [],
    running: 0,
    releasing: 0,
    isOver: false,
    arrived: createGate(),
    left: createGate(),
  }
}

/** Mistakes that the test has to find. */
export type Fault = 'forgets a release' | 'releases in order' | 'mixes the requests'

interface Held {
  readonly id: number
  readonly story: Story
}

const ticks = async (count: number): Promise<void> => {
  for (let index = 0; index < count; index++) await tick()
}

const ITEMS = { content: { 'application/x-ndjson': { schema: { type: 'object' } } } }
export const DEADLINE_MS = 150
const ALL = ['user', 'tenant', 'store', 'role', 'limit']

/** Defines the contexts of a case. */
export function defineApp(app: App, root: Node, stories: readonly Story[], fault?: Fault): void {
  const storyOf = ({ url }: Request): Story => {
    const story = stories[Number(url.split('call=')[1])]
    if (story === undefined) throw new Error(`no story of ${url}`)
    return story
  }
  app.addHook('onRequestAbort', async (request: Request) => {
    storyOf(request).isOver = true
    storyOf(request).left.open()
  })
  app.addHook('onResponse', async (request: Request) => {
    storyOf(request).left.open()
    await ticks(2)
    storyOf(request).isOver = true
  })
  const stray: Held[] = []
  const work =
    (entry: Entry) =>
    (request: Request, reply: Reply): unknown => {
      const story = storyOf(request)
      story.ran.push(entry.id)
      const finish = (): unknown => {
        if (entry.deed === 'throws') throw Object.assign(new Error('refused'), { statusCode: 403 })
        if (entry.deed === 'refuses') return reply.code(403).send('no')
        if (entry.name === null) return undefined
        story.taken.push(entry.id)
        const held: Held = { id: entry.id, story }
        stray.push(held)
        return fault === 'mixes the requests' ? stray[0] : held
      }
      const run = async (): Promise<unknown> => {
        story.running++
        try {
          if (entry.deed === 'refuses and returns') void reply.code(403).send('no')
          if (entry.deed === 'outlasts the deadline') await untilExpired(request)
          await untilLeft(story, entry.id)
          await ticks(entry.mode === 'slow' ? 5 : 1)
          return finish()
        } finally {
          story.running--
        }
      }
      if (entry.mode !== 'sync') return run()
      if (entry.deed === 'refuses and returns') void reply.code(403).send('no')
      return finish()
    }
  const release = ({ id, release: mode }: Entry) => {
    if (mode === 'none') return undefined
    return (value: unknown): unknown => {
      const { story, id: given }: Held = Object(value)
      if (given !== id) story.faults.push(`guard ${id} releases the value of ${given}`)
      if (story.running > 0) story.faults.push(`guard ${id} releases while ${story.running} run`)
      if (story.releasing > 0) story.faults.push(`guard ${id} releases beside another`)
      if (fault !== 'forgets a release') {
        if (fault === 'releases in order') story.released.unshift(id)
        else story.released.push(id)
      }
      if (mode === 'throws') throw new Error('broken')
      if (mode === 'sync') return undefined
      story.releasing++
      return ticks(2).then(() => {
        story.releasing--
        if (mode === 'rejects') throw new Error('broken')
      })
    }
  }
  const fill = (scope: App, node: Node, above: readonly string[]): void => {
    for (const name of node.overrides) scope.override(name, () => ({ replaced: name }))
    for (const entry of node.entries) {
      if (entry.name === null) addHook(scope, entry, work(entry))
      else scope.addGuard(entry.name, work(entry), { at: entry.at, release: release(entry) })
    }
    const names = [...above, ...node.entries.flatMap(({ name }) => name ?? [])]
    const handler = createHandler(node, names, storyOf)
    const schema = node.handler === 'generates' ? { response: { 200: ITEMS } } : {}
    scope.post(`/${node.id}`, { schema }, handler)
    for (const child of node.children) scope.register(async (inner: App) => fill(inner, child, names))
  }
  fill(app, root, [])
}

/** A hook must not return the value of its work, and a synchronous one has no promise. */
function addHook(scope: App, { at, mode }: Entry, run: (request: Request, reply: Reply) => unknown): void {
  if (mode === 'sync') scope.addHook(at, (request, reply) => void run(request, reply))
  else scope.addHook(at, async (request, reply) => run(request, reply))
}

async function untilLeft(story: Story, where: Call['leavesIn']): Promise<void> {
  if (story.call.leavesIn !== where) return
  story.arrived.open()
  await story.left.promise
}

async function untilExpired({ signal }: Request): Promise<void> {
  if (!(signal instanceof AbortSignal) || signal.aborted) return
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
}

/** Reads the values of all guards: those of the line are of this request, others are refused. */
function checkValues(request: Request, story: Story, names: readonly string[]): void {
  for (const name of ALL) {
    try {
      const value = request[name]
      const { story: own, replaced } = Object(value)
      if (!names.includes(name)) {
        if (value !== undefined) story.faults.push(`request.${name} is visible`)
      } else if (own !== story && replaced !== name) story.faults.push(`request.${name} is of another`)
    } catch {
      if (names.includes(name)) story.faults.push(`request.${name} is refused`)
    }
  }
}

function createHandler(node: Node, names: readonly string[], storyOf: (request: Request) => Story) {
  async function* items(request: Request): AsyncGenerator<object> {
    const story = storyOf(request)
    if (node.handler === 'generates') story.ran.push('handler')
    checkValues(request, story, names)
    story.running++
    try {
      yield { n: 1 }
      await untilLeft(story, 'handler')
      await ticks(3)
      yield { n: 2 }
    } finally {
      await ticks(2)
      story.running--
    }
  }
  async function* texts(request: Request): AsyncGenerator<string> {
    for await (const item of items(request)) yield JSON.stringify(item)
  }
  if (node.handler === 'generates') return items
  return async (request: Request, reply: Reply): Promise<unknown> => {
    const story = storyOf(request)
    story.ran.push('handler')
    if (node.handler === 'streams') return reply.type('text/plain').send(Readable.from(texts(request)))
    checkValues(request, story, names)
    story.running++
    try {
      if (node.handler === 'goes on') void reply.send('ok')
      if (node.handler === 'hijacks') void reply.hijack()
      await untilLeft(story, 'handler')
      if (node.handler === 'hijacks' || node.handler === 'ends the raw response') reply.raw.end('ok')
      if (node.handler === 'throws') throw new Error('broken')
      await ticks(3)
      return node.handler === 'returns' ? 'ok' : undefined
    } finally {
      story.running--
    }
  }
}
