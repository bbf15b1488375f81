import { describe, expect, it } from 'vitest'
import { hush, isLate, isThenable, whenSettled } from '../src/guards.ts'

const thenable = (then: unknown): PromiseLike<unknown> => Object({ then })

async function settle(pending: PromiseLike<unknown>): Promise<unknown[]> {
  const calls: unknown[] = []
  whenSettled(
    pending,
    (value) => calls.push(['fulfilled', value]),
    (error) => calls.push(['rejected', error]),
  )
  await new Promise((resolve) => setImmediate(resolve))
  return calls
}

describe('whenSettled', () => {
  it('calls one of its functions once, whatever a then method does', async () => {
    const both = thenable((fulfil: (value: number) => void, reject: (value: number) => void) => {
      fulfil(1)
      reject(2)
      fulfil(3)
      throw new Error('after')
    })
    const thrown = new Error('thrown')
    const throwing = thenable(() => {
      throw thrown
    })
    expect(await settle(both)).toEqual([['fulfilled', 1]])
    expect(await settle(throwing)).toEqual([['rejected', thrown]])
    expect(await settle(Promise.resolve(4))).toEqual([['fulfilled', 4]])
    expect(await settle(Promise.reject(thrown))).toEqual([['rejected', thrown]])
  })

  it('rejects with what throws when then is read', async () => {
    const thrown = new Error('thrown')
    const hostile: unknown = Object.defineProperty({}, 'then', {
      get() {
        throw thrown
      },
    })
    expect(isThenable(hostile)).toBe(true)
    if (isThenable(hostile)) expect(await settle(hostile)).toEqual([['rejected', thrown]])
  })
})

describe('a promise that nobody waits for', () => {
  it('ends no process, also when it rejects with another one', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    void hush(Promise.reject(Promise.reject(new Error('inner'))))
    expect(
      isLate(Promise.reject(Object.defineProperty({}, 'then', { get: () => expect.unreachable() }))),
    ).toBe(true)
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})
