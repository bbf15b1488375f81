// Draws an app and its client.
import type { Random } from '../../packages/schema/test/validator/random.ts'

export const PATH = ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const
const MODES = ['sync', 'done', 'async'] as const
const HANDLERS = [
  'returns',
  'throws',
  'streams',
  'pipes',
  'hijacks',
  'obeys',
  'generates',
  'reads a form',
  'streams a form',
  'is mounted',
] as const
/** Plugins of the ecosystem, all of which act on a response. */
export const PLUGINS = ['none', 'cookie', 'session', 'compress', 'etag'] as const

/** Where the client leaves. `stays` reads its response; `stops in body` stays too, and sends no more. */
export type Leaves =
  | 'stays'
  | 'stops in body'
  | 'in head'
  | 'in body'
  | 'in hook'
  | 'in handler'
  | 'in response'
  | 'half-closes'

/** One hook of the path or of the response. */
export interface Hook {
  readonly at: (typeof PATH)[number] | 'onSend'
  readonly mode: (typeof MODES)[number]
}

/** One case. */
export interface Case {
  readonly hooks: readonly Hook[]
  readonly sends: readonly Hook[]
  readonly handler: (typeof HANDLERS)[number]
  /** index of the hook of the path that refuses; -1 for none */
  readonly refusal: number
  /** index of the hook in which the client leaves */
  readonly waits: number
  readonly hasGuard: boolean
  /** a `preParsing` hook pipes the body into another stream */
  readonly decodes: boolean
  readonly plugin: (typeof PLUGINS)[number]
  readonly leaves: Leaves
  readonly resets: boolean
  readonly pace: 'at once' | 'stalls' | 'trickles'
  /** requests of a client that stays, pipelined where there is a connection */
  readonly requests: 1 | 2
}

/** What a transport can do. */
export interface Ability {
  readonly hasRaw: boolean
  readonly leaves: readonly Leaves[]
}

/** Draws a case that the transport can play. */
export function drawCase(random: Random, { hasRaw, leaves: all }: Ability): Case {
  const leaves = random.pick(all)
  const handlers = HANDLERS.filter((one) => canPlay(one, leaves, hasRaw))
  const hooks = PATH.flatMap((at) => Array.from({ length: random.below(3) }, () => drawHook(random, at)))
  const needsHook = leaves === 'in hook'
  if (needsHook && hooks.length === 0) hooks.push({ at: 'onRequest', mode: 'async' })
  const mayRefuse = leaves === 'stays' || leaves === 'half-closes'
  return {
    hooks,
    sends: Array.from({ length: 1 + random.below(3) }, () => drawHook(random, 'onSend')),
    handler: random.pick(handlers),
    refusal: mayRefuse && hooks.length > 0 && random.below(4) === 0 ? random.below(hooks.length) : -1,
    waits: needsHook ? random.below(hooks.length) : -1,
    hasGuard: random.below(2) === 0,
    // Nothing can be piped from the body of a client that has gone before.
    decodes: !needsHook && random.below(4) === 0,
    plugin: hasRaw ? random.pick(PLUGINS) : 'none',
    leaves,
    resets: random.below(2) === 0,
    // A head that trickles may take longer than the deadline of a client that stops.
    pace: leaves === 'stops in body' ? 'at once' : random.pick(['at once', 'stalls', 'trickles'] as const),
    requests: leaves === 'stays' && random.below(3) === 0 ? 2 : 1,
  }
}

function canPlay(handler: Case['handler'], leaves: Leaves, hasRaw: boolean): boolean {
  if (handler === 'hijacks') return hasRaw && leaves === 'stays'
  if (handler === 'obeys') return leaves === 'in handler'
  if (leaves === 'in response') return handler === 'streams' || handler === 'generates'
  // A generator that nobody reads does not start.
  if (handler === 'generates') return leaves === 'stays' || isCut(leaves)
  // A response of the request's own body ends with it.
  return handler !== 'pipes' || leaves === 'stays' || isCut(leaves)
}

/** Whether the body never comes whole. */
export function isCut(leaves: Leaves): boolean {
  return leaves === 'in body' || leaves === 'stops in body'
}

/** Whether a handler starts before its body is whole. */
export function handlesPart(handler: Case['handler']): boolean {
  return handler === 'pipes' || handler === 'streams a form' || handler === 'is mounted'
}

function drawHook(random: Random, at: Hook['at']): Hook {
  return { at, mode: random.pick(MODES) }
}
