import { memoryState, type State } from '@cloister/state'
import type { TopicEvent } from '@cloister/state/topics'
import { LogReaders } from '../../src/topics/log-readers.ts'
import { StateTopic } from '../../src/topics/topic.ts'
import { NO_FAULTS, stateOver, type Faults } from './network.ts'
import { World, type Owner } from './world.ts'

/** A fault of the code under test, which the invariants must find. */
export interface Plant {
  /** changes the state of each process */
  readonly state?: (state: State) => Partial<State>
  /** subscribes without the filter of the client */
  readonly ignoresFilter?: boolean
  readonly pollMs?: number
}

/** What a schedule came to. */
export interface Outcome {
  readonly problems: readonly string[]
  readonly published: number
  readonly delivered: number
  readonly kills: number
  readonly gaps: number
  readonly steps: number
}

/** A published message: its number, and the client that may have it, or none. */
interface Message {
  readonly n: number
  readonly to: number | null
}

const KEYS = ['a', 'b'] as const
const FAULTS_END = 1500
const QUIET = 40_000

class Client {
  readonly key: (typeof KEYS)[number]
  lastId: string | undefined
  /** the messages that came, and `null` for a gap */
  readonly received: (Message | null)[] = []
  /** how many entries its log had when this client began */
  from: number | null = null
  connection = 0

  constructor(key: (typeof KEYS)[number]) {
    this.key = key
  }
}

interface Replica extends Owner {
  readonly topic: StateTopic
  readonly connections: Map<AbortController, () => void>
}

/** One schedule: clients, processes and publishers, of which some fail, over one store. */
class Schedule {
  readonly world: World
  readonly #plant: Plant
  readonly #killAt: number | null
  readonly #faults: Faults
  readonly #keep: { count: number; ms: number }
  readonly #losesStore: boolean
  #store: State
  /** what entered each log, in its order */
  readonly #history: Record<string, Message[]> = { a: [], b: [] }
  readonly #confirmed = new Set<number>()
  readonly #clients: Client[] = []
  readonly #replicas: Replica[] = []
  #published = 0
  #kills = 0

  constructor(seed: number, plant: Plant, killAt: number | null) {
    const world = new World(seed)
    this.world = world
    this.#plant = plant
    this.#killAt = killAt
    const often = (): number => (world.happens(2) ? 0 : 5 + world.draw(60))
    this.#faults = {
      unsent: often(),
      unheard: often(),
      broken: often(),
      asleep: world.draw(4),
      slow: often(),
    }
    this.#keep = { count: world.happens(4) ? 3 + world.draw(10) : 10_000, ms: 600_000 }
    this.#losesStore = world.happens(8)
    this.#store = this.#newStore()
  }

  async run(): Promise<Outcome> {
    const { world } = this
    const start = world.now
    if (this.#losesStore) for (const key of KEYS) await this.#seed(key)
    for (let count = 0; count < 3; count++) this.#replicas.push(this.#replica())
    for (const key of KEYS)
      for (let count = 1 + world.draw(3); count > 0; count--) {
        const client = new Client(key)
        this.#clients.push(client)
        world.schedule(world.outside, world.draw(600), () => this.#connect(client))
      }
    for (let count = 5 + world.draw(40); count > 0; count--)
      world.schedule(world.outside, world.draw(FAULTS_END), () => this.#publish())
    for (let count = world.draw(6); count > 0; count--)
      world.schedule(world.outside, world.draw(FAULTS_END), () => this.#kill(world.draw(3)))
    for (let count = world.draw(6); count > 0; count--)
      world.schedule(world.outside, world.draw(FAULTS_END), () => this.#cut())
    if (this.#losesStore)
      world.schedule(world.outside, world.draw(FAULTS_END), () => {
        this.#store = this.#newStore()
      })
    await world.run(start + FAULTS_END, () => this.#isKillDue())
    if (this.#isKillDue()) this.#kill(0)
    await world.run(start + FAULTS_END)
    await world.run(start + FAULTS_END + QUIET, () => this.#isSettled())
    return {
      problems: this.#problems(),
      published: this.#confirmed.size,
      delivered: this.#clients.reduce((sum, { received }) => sum + received.length, 0),
      kills: this.#kills,
      gaps: this.#clients.reduce(
        (sum, { received }) => sum + received.filter((one) => one === null).length,
        0,
      ),
      steps: world.steps,
    }
  }

  #isKillDue(): boolean {
    return this.#killAt !== null && this.world.steps >= this.#killAt && this.#kills === 0
  }

  /** A store that notes what enters its logs. */
  #newStore(): State {
    const memory = memoryState({ now: () => this.world.now })
    const append = memory.append.bind(memory)
    memory.append = (log, value, keep) => {
      const { key, ...message }: Message & { key: string } = JSON.parse(value)
      this.#history[key]?.push(message)
      return append(log, value, keep)
    }
    return memory
  }

  /** A log that is lost before it has an entry can't be missed. */
  async #seed(key: string): Promise<void> {
    const settings = { state: this.#store, keep: this.#keep, pollMs: 1, outageMs: 1 }
    const parts = {
      name: 'log/:key',
      schema: {},
      writer: () => JSON.stringify,
      readers: new LogReaders(),
      settings,
    }
    await new StateTopic(parts).publish({ key }, { key, n: this.#published++, to: null })
  }

  #replica(): Replica {
    const { world } = this
    const owner: Owner = { isAlive: true }
    const isFaulty = (): boolean => world.now < 1_000_000 + FAULTS_END
    const over = stateOver(
      world,
      owner,
      () => this.#store,
      () => (isFaulty() ? this.#faults : NO_FAULTS),
    )
    const state = this.#plant.state === undefined ? over : Object.assign(over, this.#plant.state(over))
    const settings = { state, keep: this.#keep, pollMs: this.#plant.pollMs ?? 500, outageMs: 300 }
    const parts = {
      name: 'log/:key',
      schema: {},
      writer: () => JSON.stringify,
      readers: new LogReaders(),
      settings,
    }
    return Object.assign(owner, { topic: new StateTopic(parts), connections: new Map() })
  }

  #aReplica(): Replica {
    const found = this.#replicas[this.world.draw(this.#replicas.length)]
    if (found === undefined) throw new Error('there is no replica')
    return found
  }

  #publish(): void {
    const { world } = this
    const key = world.pick(KEYS)
    const n = this.#published++
    const to = world.happens(3) ? world.draw(this.#clients.length) : null
    const { topic } = this.#aReplica()
    topic.publish({ key }, { key, n, to }).then(
      () => this.#confirmed.add(n),
      () => {},
    )
  }

  #kill(index: number): void {
    const replica = this.#replicas[index]
    if (replica === undefined || !replica.isAlive) return
    this.#kills += 1
    replica.isAlive = false
    for (const gone of replica.connections.values()) gone()
    this.world.schedule(this.world.outside, this.world.draw(100), () => {
      this.#replicas[index] = this.#replica()
    })
  }

  /** Cuts a connection between a client and its process. */
  #cut(): void {
    const [cut] = [...this.#aReplica().connections]
    if (cut === undefined) return
    const [controller, gone] = cut
    controller.abort()
    gone()
  }

  #connect(client: Client): void {
    const { world } = this
    const replica = this.#aReplica()
    const number = ++client.connection
    const again = (): void => {
      if (client.connection !== number) return
      client.connection += 1
      world.schedule(world.outside, 1 + world.draw(60), () => this.#connect(client))
    }
    if (!replica.isAlive) {
      again()
      return
    }
    const controller = new AbortController()
    replica.connections.set(controller, again)
    let arrives = world.now
    const serve = async (): Promise<void> => {
      const index = this.#clients.indexOf(client)
      const where = (data: unknown): boolean => {
        const to: unknown = Reflect.get(Object(data), 'to')
        return to === null || to === index
      }
      const isSlow = world.happens(4)
      const events = replica.topic.subscribe(
        { key: client.key },
        { after: client.lastId, signal: controller.signal, ...(this.#plant.ignoresFilter ? {} : { where }) },
      )
      for await (const event of events) {
        arrives = Math.max(arrives, world.now + world.draw(10))
        world.schedule(world.outside, arrives - world.now, () => {
          if (client.connection === number) this.#receive(client, event)
        })
        if (isSlow) await world.sleep(replica, world.draw(60))
      }
    }
    world.schedule(replica, world.draw(8), () => {
      serve()
        .catch(() => {})
        .finally(() => {
          replica.connections.delete(controller)
          world.schedule(world.outside, Math.max(0, arrives - world.now), again)
        })
    })
  }

  #receive(client: Client, event: TopicEvent<unknown>): void {
    // The first item has the cursor at which the subscription began.
    const [, number = '0'] = /-(\d+)$/.exec(event.id ?? '') ?? []
    const { length } = this.#history[client.key] ?? []
    client.from ??= this.#losesStore ? length : Number(number)
    client.lastId = event.id ?? client.lastId
    if (event.event === 'gap') client.received.push(null)
    if (event.event !== 'message') return
    const { n, to }: Message = JSON.parse(JSON.stringify(event.data))
    client.received.push({ n, to })
  }

  /** What a client may have, in its order. */
  #wanted(client: Client): Message[] {
    const index = this.#clients.indexOf(client)
    return (this.#history[client.key] ?? []).filter(({ to }) => to === null || to === index)
  }

  #isSettled(): boolean {
    return this.#clients.every((client) => {
      const last = this.#wanted(client).at(-1)
      return client.from !== null && (last === undefined || client.received.at(-1)?.n === last.n)
    })
  }

  #problems(): string[] {
    const problems: string[] = []
    const entered = Object.values(this.#history).flatMap((log) => log.map(({ n }) => n))
    if (new Set(entered).size < entered.length) problems.push('a message entered a log twice')
    for (const n of this.#confirmed)
      if (!entered.includes(n)) problems.push(`${n} was confirmed, and not stored`)
    for (const [index, client] of this.#clients.entries()) problems.push(...this.#problemsOf(client, index))
    return problems
  }

  #problemsOf(client: Client, index: number): string[] {
    const wanted = this.#wanted(client).map(({ n }) => n)
    const begun = (this.#history[client.key] ?? []).slice(client.from ?? 0).map(({ n }) => n)
    const problems: string[] = []
    let next: number | null = null
    let mayJump = true
    for (const message of client.received) {
      if (message === null) {
        if (this.#keep.count === 10_000 && !this.#losesStore)
          problems.push(`client ${index}: a gap without a loss`)
        mayJump = true
        continue
      }
      const place = wanted.indexOf(message.n)
      if (place === -1) problems.push(`client ${index}: ${message.n} is of a stranger`)
      else if (next !== null && place < next)
        problems.push(`client ${index}: ${message.n} came twice or late`)
      else if (!mayJump && place !== next) problems.push(`client ${index}: lost what is before ${message.n}`)
      // The first message: none may be missing that was published after the client has begun.
      else if (next === null && !client.received.includes(null)) {
        const first = wanted.find((n) => begun.includes(n))
        if (first !== undefined && wanted.indexOf(first) < place)
          problems.push(`client ${index}: lost ${first}, before the first that it got`)
      }
      if (place !== -1) next = place + 1
      mayJump = false
    }
    const last = wanted.findLast((n) => begun.includes(n))
    const isBehind = last !== undefined && (next ?? 0) <= wanted.indexOf(last)
    if (isBehind && client.received.at(-1) !== null)
      problems.push(`client ${index}: lost the end, with ${last}`)
    if (client.from === null) problems.push(`client ${index}: never subscribed`)
    return problems
  }
}

/**
 * Runs one schedule of topics: the real code, over a store, a network and a clock that are drawn.
 *
 * @param killAt - kills a process at this step, too
 */
export function simulateTopics(
  seed: number,
  plant: Plant = {},
  killAt: number | null = null,
): Promise<Outcome> {
  const schedule = new Schedule(seed, plant, killAt)
  return schedule.world.within(() => schedule.run())
}
