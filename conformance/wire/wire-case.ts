// The corpus: raw HTTP/1.1 requests, and what a server must make of them. `cases.json` explains its keys.
import { readFileSync } from 'node:fs'

/** Bytes as latin-1 text, or what else happens on the connection. */
export type Sent =
  | string
  | { readonly join: readonly Sent[] }
  | { readonly repeat: string; readonly times: number }
  | { readonly bytewise: string }
  | { readonly delayMs: number }
  | { readonly end: true }
  | { readonly reset: true }

/** A status, or the end of the connection without a response. */
export type Verdict = number | 'close' | 'timeout'

/** What the first response may look like. */
export interface FirstResponse {
  readonly oneOf?: readonly Verdict[]
  readonly header?: Readonly<Record<string, string | null>>
  readonly bodyHas?: readonly string[]
}

/** What must come back. */
export interface Expectation extends FirstResponse {
  readonly anyOf?: readonly FirstResponse[]
  readonly then?: readonly (readonly number[])[]
  readonly responses?: number | readonly [number, number]
  readonly mustNotReachHandler?: boolean
  readonly notReached?: readonly string[]
  readonly reached?: Readonly<Record<string, number>>
  readonly hitsMax?: number
  readonly close?: boolean
  readonly headerIfPresent?: Readonly<Record<string, string>>
  readonly bodyLacks?: readonly string[]
  readonly bodyHasIf200?: readonly string[]
  readonly bodiesInOrder?: readonly string[]
  readonly rawLacks?: readonly string[]
  readonly interim?: readonly number[]
}

/** One case of the corpus. */
export interface WireCase {
  readonly id: string
  readonly level: 'must' | 'should' | 'policy'
  readonly send: readonly Sent[]
  readonly expect: Expectation
  readonly methods?: readonly string[]
  readonly timeoutMs?: number
  readonly slow?: boolean
}

/** The files with cases: the corpus, and variants of its cases, octet by octet. */
export type CaseFile = 'cases.json' | 'variants.json'

/** All cases of a file. */
export function readCases(file: CaseFile): readonly WireCase[] {
  const corpus = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as {
    cases: readonly WireCase[]
  }
  return corpus.cases
}

/** How a case is sent: as it is written, byte by byte, or cut at random places. */
export type SendMode = 'asis' | 'bytes' | { readonly seed: number }

const MAX_SINGLE_BYTES = 1500
const MAX_PIECES = 24

function bytesOf(sent: Sent): Buffer {
  if (typeof sent === 'string') return Buffer.from(sent, 'latin1')
  if ('join' in sent) return Buffer.concat(sent.join.map(bytesOf))
  if ('repeat' in sent) return Buffer.from(sent.repeat.repeat(sent.times), 'latin1')
  if ('bytewise' in sent) return Buffer.from(sent.bytewise, 'latin1')
  throw new Error(`these are no bytes: ${JSON.stringify(sent)}`)
}

/** A step on the connection. */
export type Step = Buffer | { readonly delayMs: number } | { readonly end: true } | { readonly reset: true }

/** The steps of a case in a mode. */
export function planSteps(wireCase: WireCase, mode: SendMode): readonly Step[] {
  const random = typeof mode === 'object' ? createRandom(mode.seed) : null
  return wireCase.send.flatMap((sent): Step[] => {
    if (typeof sent === 'object' && ('delayMs' in sent || 'end' in sent || 'reset' in sent)) return [sent]
    const bytes = bytesOf(sent)
    if (typeof sent === 'object' && 'bytewise' in sent) return cut(bytes, () => 1)
    if (mode === 'asis') return [bytes]
    if (random === null) return cut(bytes, () => lengthOfPiece(bytes.length))
    return cut(bytes, () => 1 + Math.floor(random() * random() * Math.max(8, bytes.length / 4)))
  })
}

/** A long message goes in pieces: a busy machine needs seconds for thousands of writes, and the app has deadlines. */
function lengthOfPiece(length: number): number {
  return length <= MAX_SINGLE_BYTES ? 1 : Math.max(997, Math.ceil(length / MAX_PIECES))
}

function cut(bytes: Buffer, nextLength: () => number): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const length = nextLength()
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return pieces
}

/** Numbers from 0 to 1, the same ones for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}
