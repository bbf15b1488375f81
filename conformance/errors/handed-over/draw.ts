// Draws who hands a source over, when it fails, and what else happens to its request.
import type { Random } from '../../../packages/schema/test/validator/random.ts'
import { ENDS, KINDS, NODE_KINDS } from './sources.ts'
import type { End, Kind } from './sources.ts'

/** Who hands the source over. */
const PLACES = [
  'the handler sends',
  'the handler returns',
  'the handler resolves to',
  'the handler sends later',
  'the handler sends after another',
  'the handler sends before another',
  'the handler resolves after it has sent',
  'the handler sends and throws',
  'the handler sends and rejects',
  'the handler sends after hijack',
  'the handler is late',
  'the error handler returns',
  'the error handler sends',
  'the not-found handler sends',
  'preHandler sends',
  'onRequest sends later',
  'preParsing replaces',
  'preSerialization replaces',
  'onSend replaces',
  'a mounted handler returns',
] as const

/** What an `onSend` hook does. */
const SENDS = [
  'passes',
  'waits',
  'calls back later',
  'fails',
  'fails later',
  'replaces by text',
  'replaces by nothing',
  'replaces by another source',
] as const

/** One request. */
export interface Case {
  readonly place: (typeof PLACES)[number]
  readonly kind: Kind
  readonly end: End
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly status: 200 | 204 | 304 | 500
  readonly sends: readonly (typeof SENDS)[number][]
  readonly plugin: 'none' | 'compress' | 'etag'
  readonly hasTrailer: boolean
  /** an error handler sends each error on */
  readonly hasErrorHandler: boolean
  readonly hasTimeout: boolean
  /** how a hook replaces */
  readonly mode: 'async' | 'done' | 'async later' | 'done later'
  /** milliseconds after which the client leaves; -1 for never */
  readonly leavesAfter: number
}

/** Draws a case. Only over a connection can a client leave, and is there a source that never ends. */
export function drawCase(random: Random, hasConnection: boolean, hasRaw: boolean): Case {
  const place = random.pick(PLACES.filter((one) => hasRaw || one !== 'the handler sends after hijack'))
  const end = random.pick(ENDS.filter((one) => hasConnection || one !== 'open'))
  const mayLeave = hasConnection && (end === 'open' || random.chance(0.25))
  return {
    place,
    kind: drawKind(random, place),
    end,
    method: drawMethod(random, place),
    status: random.chance(0.8) ? 200 : random.pick([204, 304, 500]),
    sends: Array.from({ length: random.pick([0, 0, 1, 1, 2]) }, () => random.pick(SENDS)),
    plugin: random.pick(['none', 'none', 'compress', 'etag']),
    hasTrailer: hasRaw && random.chance(0.15),
    hasErrorHandler: place.startsWith('the error handler') || random.chance(0.3),
    hasTimeout: place === 'the handler is late' || random.chance(0.2),
    mode: random.pick(['async', 'done', 'async later', 'done later']),
    leavesAfter: mayLeave ? random.pick([2, 40]) : -1,
  }
}

function drawKind(random: Random, place: Case['place']): Kind {
  if (place === 'a mounted handler returns') return 'a Response'
  return random.pick(place === 'preParsing replaces' ? NODE_KINDS : KINDS)
}

function drawMethod(random: Random, place: Case['place']): Case['method'] {
  if (place === 'preParsing replaces') return 'POST'
  return place !== 'the not-found handler sends' && random.chance(0.2) ? 'HEAD' : 'GET'
}
