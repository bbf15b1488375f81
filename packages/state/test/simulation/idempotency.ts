import type { State } from '@cloister/state'
import { settingsOf, type IdempotencyParts } from '../../src/idempotency/options.ts'
import { IdempotentRoute } from '../../src/idempotency/route.ts'
import { hashOf } from '../../src/keys.ts'
import { exchange, type SimulatedRequest, type SimulatedResponse } from './exchange.ts'
import { ModelStore } from './model-store.ts'
import { DEADLINE_MS, NO_FAULTS, stateOver, type Faults } from './network.ts'
import { Run, type Asked } from './run.ts'
import { World, type Owner } from './world.ts'

/** A fault of the code under test, which the invariants must find. */
export interface IdempotencyPlant {
  /** changes the state of each process */
  readonly state?: ((state: State) => Partial<State>) | undefined
  /** changes the options of the route */
  readonly options?: IdempotencyParts
  /** compares requests without their bodies */
  readonly ignoresBody?: boolean
  /** responds, and has its effect later */
  readonly respondsFirst?: boolean
}

/** What a schedule came to. */
export interface IdempotencyOutcome {
  readonly problems: readonly string[]
  readonly responses: number
  readonly replays: number
  readonly effects: number
  readonly kills: number
  readonly steps: number
}

const FAULTS_END = 2500
const QUIET = 30_000
const ROUTES = ['POST /a', 'POST /b'] as const
/** Statuses after which a client sends its request again. */
const AGAIN: ReadonlySet<number> = new Set([500, 503])

interface Replica extends Owner {
  readonly routes: ReadonlyMap<string, object>
  /** the requests of clients that wait for this process: what tells them that it died */
  readonly waiting: Set<() => void>
}

/** A client that has one request, and sends it until it gets a response that is final. */
interface Client extends Asked {
  /** the try whose response it waits for */
  tries: number
  isDone: boolean
  /** how often it sends its request again although it has a response */
  repeats: number
}

/** One schedule of clients that try again, and of processes and a store that fail. */
class Schedule {
  readonly world: World
  readonly #plant: IdempotencyPlant
  readonly #killAt: number | null
  readonly #faults: Faults
  readonly #store: ModelStore
  readonly #ttlMs: number
  readonly #timeoutMs: number
  readonly #clients: Client[] = []
  readonly #replicas: Replica[] = []
  readonly #runs: Run[] = []
  readonly #problems: string[] = []
  /** when the store lost a change of a key */
  readonly #lost = new Map<string, number>()
  #outage = [0, 0]
  #responses = 0
  #replays = 0
  #kills = 0

  constructor(seed: number, plant: IdempotencyPlant, killAt: number | null) {
    const world = new World(seed)
    this.world = world
    this.#plant = plant
    this.#killAt = killAt
    const often = (): number => (world.happens(2) ? 0 : 5 + world.draw(60))
    this.#faults = { unsent: often(), unheard: often(), broken: often(), asleep: 0, slow: often() }
    this.#store = new ModelStore(world)
    this.#ttlMs = world.happens(8) ? 1500 : 600_000
    this.#timeoutMs = world.happens(3) ? 700 : 60_000
  }

  async run(): Promise<IdempotencyOutcome> {
    const { world } = this
    const start = world.now
    const later = (most: number, run: () => void): void => {
      for (let count = world.draw(most); count > 0; count--)
        world.schedule(world.outside, world.draw(FAULTS_END), run)
    }
    for (let count = 0; count < 3; count++) this.#replicas.push(this.#replica())
    for (let count = 3 + world.draw(6); count > 0; count--) {
      const client = this.#client()
      this.#clients.push(client)
      world.schedule(world.outside, world.draw(world.happens(2) ? 20 : FAULTS_END), () => this.#send(client))
    }
    later(6, () => this.#kill(world.draw(3)))
    if (world.happens(3)) later(4, () => this.#stall())
    if (world.happens(4)) later(3, () => this.#failOver())
    if (world.happens(4)) {
      const begin = start + world.draw(FAULTS_END)
      this.#outage = [begin, Math.min(begin + world.draw(1500), start + FAULTS_END)]
    }
    const isKillDue = (): boolean => this.#killAt !== null && world.steps >= this.#killAt && this.#kills === 0
    await world.run(start + FAULTS_END, isKillDue)
    if (isKillDue()) this.#kill(0)
    await world.run(start + FAULTS_END)
    await world.run(start + FAULTS_END + QUIET, () => this.#clients.every(({ isDone }) => isDone))
    for (const client of this.#clients)
      if (!client.isDone) this.#problems.push(`no final response to ${client.name}`)
    return {
      problems: this.#problems,
      responses: this.#responses,
      replays: this.#replays,
      effects: this.#runs.filter(({ hasEffect }) => hasEffect).length,
      kills: this.#kills,
      steps: world.steps,
    }
  }

  /** Few callers, keys and bodies, so that many requests are equal, or equal but for one of them. */
  #client(): Client {
    const { world } = this
    const route = world.happens(6) ? ROUTES[1] : ROUTES[0]
    const caller = world.pick(['ann', 'bob'])
    const key = world.happens(3) ? 'k2' : 'k1'
    const amount = world.happens(4) ? 6 : 5
    const name = `${route} ${caller} ${key}`
    const storeKey = `idempotency:${hashOf(JSON.stringify([caller, 'POST', route, key]))}`
    return { route, caller, key, amount, name, storeKey, tries: 0, isDone: false, repeats: world.draw(3) }
  }

  #currentFaults(): Faults {
    const { now } = this.world
    const [begin = 0, end = 0] = this.#outage
    if (now >= begin && now < end) return { ...this.#faults, broken: 1 }
    return now < 1_000_000 + FAULTS_END ? this.#faults : NO_FAULTS
  }

  #replica(): Replica {
    const { world } = this
    const owner: Owner = { isAlive: true }
    const over = stateOver(
      world,
      owner,
      () => this.#store.state,
      () => this.#currentFaults(),
    )
    const state = this.#plant.state === undefined ? over : Object.assign(over, this.#plant.state(over))
    this.#noteFailures(owner, state)
    const options = {
      state,
      scope: callerOf,
      holdMs: Run.HOLD_MS,
      ttlMs: this.#ttlMs,
      ...this.#plant.options,
    }
    const routes = new Map<string, object>()
    const replica = Object.assign(owner, { routes, waiting: new Set<() => void>() })
    for (const label of ROUTES) {
      const handler = async (
        request: SimulatedRequest,
        reply: { header(name: string, value: string): void },
      ) => {
        const run = this.#begin(replica, request, label)
        await this.#effect(replica, run)
        reply.header('x-run', String(run.number))
        return run.text
      }
      const route = { handler }
      new IdempotentRoute(settingsOf(options, true, label), label).install(route)
      routes.set(label, route)
    }
    return replica
  }

  /** A failed operation may leave a claim without its key, so a second effect is none of the code's faults. */
  #noteFailures(owner: Owner, state: State): void {
    const note = (key: string) => (error: unknown) => {
      for (const run of this.#runs)
        if (run.owner === owner && run.asked.storeKey === key) run.stateFailed(this.world.now)
      throw error
    }
    const put = state.put.bind(state)
    const remove = state.delete.bind(state)
    Object.assign(state, {
      put: (...args: Parameters<State['put']>) => {
        const isOfClaim = typeof args[2].if === 'object'
        return isOfClaim ? put(...args).catch(note(args[0])) : put(...args)
      },
      delete: (...args: Parameters<State['delete']>) => remove(...args).catch(note(args[0])),
    })
  }

  #begin(owner: Owner, request: SimulatedRequest, route: string): Run {
    const { now } = this.world
    const key = request.headers['idempotency-key']
    const asked = this.#clients.find(
      (one) => one.route === route && one.caller === request.caller && one.key === key,
    )
    if (asked === undefined) throw new Error('a request of no client')
    const amount = Number(request.headers['x-amount'])
    const run = new Run(this.#runs.length, owner, { ...asked, amount }, now)
    for (const earlier of this.#runs)
      if (earlier.asked.name === asked.name && !earlier.mayRunAgain(now, this.#ttlMs))
        this.#problems.push(`${asked.name}: run ${run.number} at ${now} beside run ${earlier.number}`)
    // Its claim may be a deadline older than itself.
    run.isLost = (this.#lost.get(asked.storeKey) ?? 0) > now - DEADLINE_MS
    this.#runs.push(run)
    return run
  }

  async #effect(owner: Owner, run: Run): Promise<void> {
    const { world } = this
    const isLong = world.happens(5)
    await world.sleep(owner, world.draw(isLong ? 3 * Run.HOLD_MS : 60))
    if (world.happens(8)) {
      run.fail()
      throw new Error('failed before its effect')
    }
    if (this.#plant.respondsFirst === true) return
    run.hasEffect = true
    await world.sleep(owner, world.draw(60))
  }

  #kill(index: number): void {
    const replica = this.#replicas[index]
    if (replica === undefined || !replica.isAlive) return
    this.#kills += 1
    replica.isAlive = false
    for (const run of this.#runs) if (run.owner === replica) run.ownerDied(this.world.now)
    for (const lost of replica.waiting) lost()
    this.world.schedule(this.world.outside, this.world.draw(100), () => {
      this.#replicas[index] = this.#replica()
    })
  }

  /** A process that stands still for long, as a paused machine does, can't prolong its claims. */
  #stall(): void {
    const replica = this.#replicas[this.world.draw(3)]
    if (replica === undefined) return
    replica.stalledUntil = this.world.now + this.world.draw(3 * Run.HOLD_MS)
    for (const run of this.#runs) if (run.owner === replica) run.stateFailed(this.world.now)
  }

  #failOver(): void {
    const { now } = this.world
    for (const key of this.#store.failOver(this.world.draw(300))) {
      this.#lost.set(key, now)
      for (const run of this.#runs) if (run.asked.storeKey === key) run.isLost = true
    }
  }

  #send(client: Client): void {
    const { world } = this
    const number = ++client.tries
    const again = (ms: number): void => {
      world.schedule(world.outside, ms, () => {
        if (client.tries === number && !client.isDone) this.#send(client)
      })
    }
    const replica = this.#replicas[world.draw(this.#replicas.length)]
    if (replica === undefined || !replica.isAlive) {
      again(1 + world.draw(60))
      return
    }
    const lost = (): void => again(1 + world.draw(60))
    replica.waiting.add(lost)
    // An impatient client sends its request again while the first one runs.
    again(world.happens(3) ? 20 + world.draw(200) : 5000)
    const isDropped = world.happens(this.#currentFaults().unheard)
    world.schedule(replica, world.draw(8), () => {
      const begin = world.now
      void this.#serve(replica, client).then((response) => {
        replica.waiting.delete(lost)
        this.#sent(client, response, begin)
        world.schedule(world.outside, world.draw(8), () => {
          if (!isDropped) this.#receive(client, response, again, number)
        })
      })
    })
  }

  #serve(replica: Replica, { route, caller, key, amount }: Asked): Promise<SimulatedResponse> {
    const found = replica.routes.get(route)
    if (found === undefined) throw new Error(`there is no route ${route}`)
    const body = this.#plant.ignoresBody === true ? {} : { amount }
    const headers = { 'idempotency-key': key, 'content-type': 'application/json', 'x-amount': String(amount) }
    const log = { error: () => {} }
    const request = {
      method: 'POST',
      headers,
      params: {},
      query: {},
      body,
      caller,
      signal: { reason: undefined },
      log,
    }
    return exchange(found, request, () => this.world.sleep(replica, this.#timeoutMs))
  }

  /** Checks a response when it leaves its process, to a request that came at a time. */
  #sent(client: Client, { status, code, headers, body }: SimulatedResponse, begin: number): void {
    this.#responses += 1
    const problem = (text: string): void => {
      this.#problems.push(`${client.name}, ${client.amount}: ${text}`)
    }
    const same = this.#runs.filter(({ asked }) => asked.name === client.name)
    if (code === 'CLO_ERR_HANDLER_TIMEOUT') for (const run of same) run.isLate ||= run.isBegun
    if (code === 'CLO_ERR_IDEMPOTENCY_NOT_KEPT' && !same.some(({ isLate }) => isLate))
      problem('its response is not kept')
    if (code === 'CLO_ERR_IDEMPOTENCY_RUNNING' && headers['retry-after'] === undefined)
      problem('409 without Retry-After')
    const isOther = (one: Asked): boolean => one.name === client.name && one.amount !== client.amount
    if (code === 'CLO_ERR_IDEMPOTENCY_MISMATCH' && !this.#clients.some(isOther))
      problem('422 without another body')
    if (status !== 200) return
    const isReplay = headers['idempotent-replayed'] === 'true'
    if (isReplay) this.#replays += 1
    const run = this.#runs[Number(headers['x-run'])]
    if (run === undefined || run.asked.name !== client.name) return problem('got the response of a stranger')
    if (run.asked.amount !== client.amount) return problem('got the response to another body')
    if (body !== run.text) return problem(`got ${String(body)} of run ${run.number}`)
    if (!run.hasEffect) problem(`got the response of run ${run.number} before its effect`)
    if (!isReplay && run.hasResponded) problem(`run ${run.number} responded twice`)
    run.hasResponded ||= !isReplay
    const newer = same.find(
      ({ number, sentAt, isExcused }) => number > run.number && sentAt < begin && !isExcused,
    )
    if (isReplay && newer !== undefined)
      problem(`got run ${run.number} after the response of run ${newer.number}`)
    run.sentAt = Math.min(run.sentAt, this.world.now)
    run.isSent = true
  }

  #receive(client: Client, response: SimulatedResponse, again: (ms: number) => void, number: number): void {
    if (client.tries !== number || client.isDone) return
    const { world } = this
    if (AGAIN.has(response.status) || response.code === 'CLO_ERR_IDEMPOTENCY_RUNNING') {
      again(10 + world.draw(100))
      return
    }
    if (![200, 409, 422].includes(response.status)) this.#problems.push(`${client.name}: ${response.status}`)
    if (client.repeats > 0) {
      client.repeats -= 1
      again(world.draw(400))
    } else client.isDone = true
  }
}

const callerOf = (request: object): string => String(Reflect.get(request, 'caller'))

/** Runs one schedule of idempotent requests: the real code, over a store, a network and a clock that are drawn. */
export function simulateIdempotency(
  seed: number,
  plant: IdempotencyPlant = {},
  killAt: number | null = null,
): Promise<IdempotencyOutcome> {
  const schedule = new Schedule(seed, plant, killAt)
  return schedule.world.within(() => schedule.run())
}
