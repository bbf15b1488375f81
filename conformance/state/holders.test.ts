// Claims of idempotent requests whose process is cut off, dies or is slow, on a clock of the test.
import { guardState, idempotency, memoryState, type State } from '@cloister/state'
import { cloister } from 'cloister'
import { describe, expect, it } from 'vitest'
import { brokenState } from './broken-state.ts'

const HOLD_MS = 40

interface Opened {
  readonly pay: () => Promise<{ status: number; body: string }>
}

/** Creates an app whose payments do what `effect` does. */
async function open(
  state: State,
  effect: () => Promise<string> | string,
  holdMs: number = HOLD_MS,
): Promise<Opened> {
  const app = cloister()
  await app.register(idempotency, { state, scope: 'public', holdMs })
  app.post('/pay', { idempotency: true }, () => effect())
  return {
    pay: async () => {
      const response = await app.inject({ method: 'POST', url: '/pay', headers: { 'idempotency-key': 'k' } })
      return { status: response.statusCode, body: response.body }
    },
  }
}

function gate(): { opened: Promise<void>; open: () => void } {
  let pass = (): void => {}
  const opened = new Promise<void>((resolve) => {
    pass = resolve
  })
  return { opened, open: pass }
}

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1))
}

/** A state on the memory of another, with changes. */
const changed = (inner: State, changes: Partial<State>): State =>
  guardState({
    ready: () => inner.ready(),
    get: (key) => inner.get(key),
    put: (key, value, options) => inner.put(key, value, options),
    delete: (key, version) => inner.delete(key, version),
    take: (key, cost, rule) => inner.take(key, cost, rule),
    append: (log, value, keep) => inner.append(log, value, keep),
    read: (log, after, limit) => inner.read(log, after, limit),
    wake: (log, listener) => inner.wake(log, listener),
    close: () => inner.close(),
    ...changes,
  })

/** Lets a holder lose its key to another process, and returns the last response to the key, and what ran. */
async function loseKey(plant: (inner: State) => State): Promise<{ last: string; effects: string[] }> {
  let now = 0
  const memory = plant(memoryState({ now: () => now }))
  const cutOff = brokenState(memory)
  const { opened, open: finish } = gate()
  const effects: string[] = []
  const slow = await open(cutOff.state, async () => {
    effects.push('slow')
    await opened
    return 'slow'
  })
  const other = await open(memory, () => {
    effects.push('other')
    return 'other'
  })
  const first = slow.pay()
  await until(() => effects.length === 1)
  cutOff.fails = true
  now += HOLD_MS + 1
  expect(await other.pay()).toEqual({ status: 200, body: 'other' })
  cutOff.fails = false
  finish()
  expect(await first).toEqual({ status: 200, body: 'slow' })
  return { last: (await other.pay()).body, effects }
}

/** Sends equal requests to two apps until each has a response, and returns how many effects there were. */
async function countEffects(state: State): Promise<number> {
  let effects = 0
  const effect = async (): Promise<string> => {
    effects += 1
    await new Promise((resolve) => setTimeout(resolve, 2))
    return 'paid'
  }
  const apps = [await open(state, effect, 60_000), await open(state, effect, 60_000)] as const
  const pay = async (index: number): Promise<void> => {
    while ((await apps[index % 2 === 0 ? 0 : 1].pay()).status === 409)
      await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(Array.from({ length: 30 }, (_one, index) => pay(index)))
  return effects
}

/** A state on a clock of the test, which counts how often claims were prolonged. */
function watchedClaims(): { readonly state: State; readonly claims: { now: number; prolonged: number } } {
  const claims = { now: 0, prolonged: 0 }
  const memory = memoryState({ now: () => claims.now })
  const state = changed(memory, {
    async put(key, value, options) {
      const version = await memory.put(key, value, options)
      if (typeof options.if === 'object') claims.prolonged += 1
      return version
    },
  })
  return { state, claims }
}

describe('the claim of an idempotent request', () => {
  it('is prolonged while the handler runs', async () => {
    const { state, claims } = watchedClaims()
    const { opened, open: finish } = gate()
    const { pay } = await open(state, async () => {
      await opened
      return 'paid'
    })
    const first = pay()
    await until(() => claims.prolonged > 0)
    for (let round = 0; round < 5; round++) {
      claims.now += HOLD_MS - 1
      const before = claims.prolonged
      await until(() => claims.prolonged > before)
    }
    expect((await pay()).status).toBe(409)
    finish()
    expect(await first).toEqual({ status: 200, body: 'paid' })
    expect(await pay()).toEqual({ status: 200, body: 'paid' })
  })

  it('that lost its key to another process does not overwrite its response', async () => {
    expect(await loseKey((memory) => memory)).toEqual({ last: 'other', effects: ['slow', 'other'] })
  })

  it('is free after a response that the state could not be told, if the process dies then', async () => {
    let now = 0
    const memory = memoryState({ now: () => now })
    const dying = brokenState(memory)
    const effects: string[] = []
    const one = await open(dying.state, () => {
      effects.push('one')
      dying.fails = true
      return 'one'
    })
    const two = await open(memory, () => {
      effects.push('two')
      return 'two'
    })
    expect((await one.pay()).body).toBe('one')
    expect((await two.pay()).status).toBe(409)
    now += HOLD_MS + 1
    expect((await two.pay()).body).toBe('two')
    expect(effects).toEqual(['one', 'two'])
  })

  it('that is heard of late, as by a process that stood still, is given back: another may have the key', async () => {
    let now = 0
    const memory = memoryState({ now: () => now })
    const { opened: heard, open: hear } = gate()
    let puts = 0
    const late = changed(memory, {
      async put(key, value, options) {
        const version = await memory.put(key, value, options)
        if (++puts === 1) await heard
        return version
      },
    })
    const effects: string[] = []
    const stalled = await open(late, () => String(effects.push('stalled')))
    const other = await open(memory, () => String(effects.push('other')))
    const first = stalled.pay()
    await until(() => puts === 1)
    now += HOLD_MS + 1
    expect((await other.pay()).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, HOLD_MS))
    hear()
    expect(await first).toEqual({ status: 200, body: '1' })
    expect(effects).toEqual(['other'])
  })

  it('stores its response when the state works again', async () => {
    const late = brokenState(memoryState({ now: () => 0 }))
    let effects = 0
    const { pay } = await open(late.state, () => {
      late.fails = true
      return `paid ${++effects}`
    })
    expect((await pay()).body).toBe('paid 1')
    late.fails = false
    let response = await pay()
    while (response.status === 409) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      response = await pay()
    }
    expect(response).toEqual({ status: 200, body: 'paid 1' })
  })

  it('stores its response also if its key has expired while the state failed', async () => {
    let now = 0
    let stored = 0
    const memory = memoryState({ now: () => now })
    const late = brokenState(
      changed(memory, {
        async put(key, value, options) {
          const version = await memory.put(key, value, options)
          if (version !== null) stored += 1
          return version
        },
      }),
    )
    let effects = 0
    const { pay } = await open(late.state, () => {
      late.fails = true
      return `paid ${++effects}`
    })
    expect((await pay()).body).toBe('paid 1')
    now += HOLD_MS + 1
    late.fails = false
    await until(() => stored === 2)
    expect(await pay()).toEqual({ status: 200, body: 'paid 1' })
  })

  it('stores its response soon after the state works again, long before the key would expire', async () => {
    const late = brokenState(memoryState({ now: () => 0 }))
    let effects = 0
    const effect = (): string => {
      late.fails = true
      return `paid ${++effects}`
    }
    const { pay } = await open(late.state, effect, 600_000)
    expect((await pay()).body).toBe('paid 1')
    late.fails = false
    let response = await pay()
    while (response.status === 409) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      response = await pay()
    }
    expect(response).toEqual({ status: 200, body: 'paid 1' })
  })

  it('finds its record after a write that happened, but seemed to fail', async () => {
    let failing = 1
    const memory = memoryState({ now: () => 0 })
    const state = changed(memory, {
      async put(key, value, options) {
        const version = await memory.put(key, value, options)
        if (typeof options.if === 'object' && failing-- > 0) throw new Error('connection lost')
        return version
      },
    })
    let effects = 0
    const { pay } = await open(state, () => `paid ${++effects}`)
    expect((await pay()).body).toBe('paid 1')
    expect(await pay()).toEqual({ status: 200, body: 'paid 1' })
  })

  it('that was written although the state seemed to fail is given back, since its request was refused', async () => {
    const memory = memoryState({ now: () => 0 })
    let puts = 0
    const state = changed(memory, {
      async put(key, value, options) {
        const version = await memory.put(key, value, options)
        if (++puts === 1) throw new Error('no response')
        return version
      },
    })
    let effects = 0
    const { pay } = await open(state, () => `paid ${++effects}`)
    expect((await pay()).status).toBe(503)
    expect((await pay()).body).toContain('CLO_ERR_IDEMPOTENCY_RUNNING')
    await expect.poll(async () => (await pay()).body).toBe('paid 1')
  })
})

describe('a request that ends by its timeout', () => {
  const post = (app: { inject(request: object): PromiseLike<{ statusCode: number; body: string }> }) =>
    app.inject({ method: 'POST', url: '/', headers: { 'idempotency-key': 'k' } })

  it('while the state is slow gives its key back, since its handler never runs', async () => {
    const memory = memoryState()
    const { opened: confirmed, open: confirm } = gate()
    let puts = 0
    const slow = changed(memory, {
      async put(key, value, options) {
        const version = await memory.put(key, value, options)
        if (++puts === 1) await confirmed
        return version
      },
    })
    let effects = 0
    const app = cloister({ handlerTimeout: 5 })
    await app.register(idempotency, { state: slow, scope: 'public' })
    app.post('/', { idempotency: true }, () => `paid ${++effects}`)
    expect((await post(app)).statusCode).toBe(503)
    confirm()
    let next = await post(app)
    while (next.statusCode === 409) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      next = await post(app)
    }
    expect(next.body).toBe('paid 1')
  })

  it.each<[string, (work: Promise<string>) => PromiseLike<string>]>([
    ['a promise', (work) => work],
    // As builders of queries have it, which run once for each call of `then`.
    ['another thenable', (work) => ({ then: (...args) => work.then(...args) })],
  ])('keeps its key while the handler runs on, if it returned %s', async (_what, returned) => {
    const { state, claims } = watchedClaims()
    const { opened, open: finish } = gate()
    const app = cloister({ handlerTimeout: 5 })
    await app.register(idempotency, { state, scope: 'public', holdMs: HOLD_MS })
    app.post('/', { idempotency: true }, () => returned(opened.then(() => 'paid')))
    expect((await post(app)).statusCode).toBe(503)
    for (let round = 0; round < 3; round++) {
      const before = claims.prolonged
      await until(() => claims.prolonged > before)
      claims.now += HOLD_MS - 1
    }
    expect((await post(app)).body).toContain('CLO_ERR_IDEMPOTENCY_RUNNING')
    const before = claims.prolonged
    finish()
    await until(() => claims.prolonged > before)
    let last = await post(app)
    while (last.body.includes('CLO_ERR_IDEMPOTENCY_RUNNING')) last = await post(app)
    expect(last.body).toContain('CLO_ERR_IDEMPOTENCY_NOT_KEPT')
  })

  it('keeps its key while the handler runs on, although its client has left before', async () => {
    const { opened, open: finish } = gate()
    let effects = 0
    let timeouts = 0
    const app = cloister({ handlerTimeout: 1000, forceCloseConnections: true })
    const left = new Promise<void>((resolve) => app.addHook('onRequestAbort', async () => resolve()))
    app.addHook('onError', async () => void (timeouts += 1))
    await app.register(idempotency, { state: memoryState(), scope: 'public' })
    app.post('/', { idempotency: true }, async ({ signal }) => {
      effects += 1
      signal.throwIfAborted()
      await opened
      return 'paid'
    })
    const controller = new AbortController()
    const url = await app.listen({ port: 0 })
    const headers = { 'idempotency-key': 'k' }
    const first = fetch(url, { method: 'POST', headers, signal: controller.signal }).catch(() => {})
    await until(() => effects === 1)
    controller.abort()
    await Promise.all([first, left])
    await until(() => timeouts === 1)
    expect((await post(app)).body).toContain('CLO_ERR_IDEMPOTENCY_RUNNING')
    finish()
    await app.close()
    expect(effects).toBe(1)
  })
})

it('a hijacked reply was done, but is not kept', async () => {
  const app = cloister()
  await app.register(idempotency, { state: memoryState(), scope: 'public' })
  app.post('/', { idempotency: true }, (_request, reply) => {
    reply.hijack()
    reply.raw.end('own')
  })
  const send = () => app.inject({ method: 'POST', url: '/', headers: { 'idempotency-key': 'k' } })
  expect((await send()).body).toBe('own')
  await until(() => true)
  expect((await send()).json()).toMatchObject({ code: 'CLO_ERR_IDEMPOTENCY_NOT_KEPT' })
})

describe('a planted fault of the state is found:', () => {
  const readsFirst = (memory: State): State =>
    changed(memory, {
      async put(key, value, { ttlMs, if: condition }) {
        const found = await memory.get(key)
        await new Promise((resolve) => setImmediate(resolve))
        if (condition === 'absent' && found !== null) return null
        if (typeof condition === 'object' && found?.version !== condition.version) return null
        return memory.put(key, value, { ttlMs })
      },
    })

  it('a put that reads first has more than one effect', async () => {
    expect(await countEffects(memoryState())).toBe(1)
    expect(await countEffects(readsFirst(memoryState()))).toBeGreaterThan(1)
  })

  it('a put that ignores versions lets the holder that lost its key overwrite', async () => {
    const ignores = (memory: State): State =>
      changed(memory, {
        put: (key, value, { ttlMs, if: condition }) =>
          memory.put(key, value, condition === 'absent' ? { ttlMs, if: condition } : { ttlMs }),
      })
    expect((await loseKey(ignores)).last).toBe('slow')
  })
})
