import { expect, it } from 'vitest'
import { splitOptions } from '../src/limits.ts'

it('separates limits from route options, and reads numbers of environment variables', () => {
  const handler = (): void => {}
  const { route, limits } = splitOptions({ maxQueued: '4', config: {}, onRequest: handler }, 'GET:/', 100)
  expect(route).toEqual({ config: {}, onRequest: handler })
  expect([limits.maxQueued, limits.maxPayload, limits.pingInterval]).toEqual([4, 100, 30_000])
})

it.each(['maxQueud', 'maxQueuedd', 'maxQeuued', 'naxQueued'])('names the limit that %s means', (name) => {
  expect(() => splitOptions({ [name]: 1 }, 'GET:/', 100)).toThrow(
    `Error in the options of route 'GET:/': unknown option '${name}'; did you mean 'maxQueued'?`,
  )
})
