import { guardState, type State } from '@cloister/state'
import type { Owner, World } from './world.ts'

/** How often something goes wrong: once in so many; 0 for never. */
export interface Faults {
  /** an operation does not reach the store */
  readonly unsent: number
  /** the response of an operation does not come back */
  readonly unheard: number
  /** a connection breaks within an operation, which happened or not */
  readonly broken: number
  /** a signal does not come */
  readonly asleep: number
  /** an operation takes longer than its deadline */
  readonly slow: number
}

/** How long a process waits for the store. */
export const DEADLINE_MS = 100

export const NO_FAULTS: Faults = { unsent: 0, unheard: 0, broken: 0, asleep: 0, slow: 0 }

/**
 * The state of one process, whose store is behind a network.
 *
 * @param store - returns the store, which may be another one after a loss
 */
export function stateOver(world: World, owner: Owner, store: () => State, faults: () => Faults): State {
  const delay = (): number => (world.happens(faults().slow) ? world.draw(400) : world.draw(8))
  const call = async <T>(run: (store: State) => Promise<T>): Promise<T> => {
    const { unsent, unheard, broken } = faults()
    await world.sleep(world.outside, delay())
    if (world.happens(unsent)) return new Promise(() => {})
    if (world.happens(broken)) {
      await world.sleep(owner, delay())
      throw new Error('the connection broke before the operation')
    }
    const result = await run(store())
    if (world.happens(unheard)) return new Promise(() => {})
    await world.sleep(owner, delay())
    if (world.happens(broken)) throw new Error('the connection broke after the operation')
    return result
  }
  const remote: State = {
    ready: () => call((one) => one.ready()),
    get: (key) => call((one) => one.get(key)),
    put: (key, value, options) => call((one) => one.put(key, value, options)),
    delete: (key, version) => call((one) => one.delete(key, version)),
    take: (key, cost, rule) => call((one) => one.take(key, cost, rule)),
    append: (log, value, keep) => call((one) => one.append(log, value, keep)),
    read: (log, after, limit) => call((one) => one.read(log, after, limit)),
    wake: (log, listener) =>
      call((one) =>
        one.wake(log, () => {
          if (!world.happens(faults().asleep)) world.schedule(owner, world.draw(8), listener)
        }),
      ),
    close: () => Promise.resolve(),
  }
  return guardState(remote, { deadlineMs: DEADLINE_MS })
}
