import type { State } from '../types.ts'
import type { Call, Operation } from './linearizable.ts'

/** Returns the next number from 0 to below `below`. */
export type Draw = (below: number) => number

/** Creates a generator of numbers (mulberry32). */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const TTL_MS = 600_000

/** Lets clients send operations on one key at once, each one after the other, and records what they return. */
export async function recordHistory(
  clients: readonly State[],
  key: string,
  operations: number,
  draw: Draw,
): Promise<Operation[]> {
  const history: Operation[] = []
  const versions: string[] = []
  let tick = 0
  const work = async (state: State, name: number): Promise<void> => {
    for (let index = 0; index < operations; index++) {
      const call = drawCall(draw, `${name}/${index}`, versions)
      const begin = tick++
      const result = await run(state, key, call)
      history.push({ call, begin, end: tick++, result })
      const version =
        typeof result === 'string' ? result : typeof result === 'object' ? result?.version : undefined
      if (version !== undefined) versions.push(version)
    }
  }
  await Promise.all(clients.map(work))
  return history
}

function drawCall(draw: Draw, value: string, versions: readonly string[]): Call {
  // Mostly the newest version, so that conditions hold often.
  const version = versions[versions.length - 1 - draw(Math.min(3, versions.length || 1))] ?? 'none'
  switch (draw(6)) {
    case 0:
    case 1:
      return { kind: 'get' }
    case 2:
      return { kind: 'put', value, if: 'absent' }
    case 3:
      return { kind: 'put', value, if: { version } }
    case 4:
      return { kind: 'put', value, if: 'always' }
    default:
      return { kind: 'delete', version: draw(2) === 0 ? version : null }
  }
}

function run(state: State, key: string, call: Call): Promise<Operation['result']> {
  if (call.kind === 'get') return state.get(key)
  if (call.kind === 'delete')
    return call.version === null ? state.delete(key) : state.delete(key, call.version)
  const condition = call.if === 'always' ? {} : { if: call.if }
  return state.put(key, call.value, { ttlMs: TTL_MS, ...condition })
}
