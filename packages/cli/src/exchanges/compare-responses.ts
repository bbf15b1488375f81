import { isObject, textOf } from '../diff/json.ts'
import type { Exchange, SeenResponse } from './exchange.ts'

/** One difference between two responses to a request. */
export interface Change {
  /** `status`, `header NAME` or a pointer into the body. */
  readonly what: string
  readonly before: string
  readonly after: string
}

/** A request whose responses differ. */
export interface Difference {
  readonly exchange: Exchange
  readonly before: SeenResponse | null
  readonly after: SeenResponse | null
  readonly changes: readonly Change[]
}

/** The result of comparing two runs. */
export interface Comparison {
  readonly equal: number
  /** Requests whose responses differ without a change of framework. */
  readonly unsteady: number
  /** Requests that only one of the runs has. */
  readonly unmatched: number
  readonly differences: readonly Difference[]
}

/** Fields of the connection, or derived from what is compared. */
const LEFT_OUT = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'etag'])

/** Texts that are new in each run. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g, '<time>'],
  [/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g, '<time>'],
  [/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi, '<uuid>'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/\b1[5-9]\d{8}(?:\d{3})?\b/g, '<time>'],
  [/\b(localhost|127\.0\.0\.1|\[::1\]):\d{4,5}\b/g, '$1:<port>'],
  [/\/tmp\/[\w./-]+/g, '<file>'],
  [/\breq-[\da-z]+\b/g, '<request>'],
  [/:\d+:\d+\)?/g, ':<line>'],
]

/**
 * Compares the responses of two runs.
 *
 * @param before - the exchanges on the old framework
 * @param steady - the same requests to the old framework again; differences to `before` are ignored
 * @param after - the exchanges on the new framework
 */
export function compareRuns(
  before: readonly Exchange[],
  steady: readonly Exchange[],
  after: readonly Exchange[],
): Comparison {
  const [others, news] = [byKey(steady), byKey(after)]
  const counts = { equal: 0, unsteady: 0, unmatched: 0 }
  const differences: Difference[] = []
  for (const [key, list] of byKey(before)) {
    const [again = [], now = []] = [others.get(key), news.get(key)]
    if (now.length !== list.length) {
      counts.unmatched += list.length
      continue
    }
    // A request that does not recur on the same framework says nothing about the other one.
    if (again.length !== list.length) {
      counts.unsteady += list.length
      continue
    }
    for (const [index, exchange] of list.entries()) {
      const [was, is] = [exchange.response, now[index]?.response ?? null]
      const noise = changesOf(was, again[index]?.response ?? null).map(({ what }) => what)
      const changes = changesOf(was, is).filter(({ what }) => !noise.some((one) => isWithin(what, one)))
      if (changes.length > 0 && !isUnsteady(noise)) {
        differences.push({ exchange, before: was, after: is, changes })
      } else if (changes.length > 0 || isUnsteady(noise)) counts.unsteady += 1
      else counts.equal += 1
    }
  }
  return { ...counts, differences }
}

function isUnsteady(noise: readonly string[]): boolean {
  return noise.includes('status') || noise.includes('response')
}

function isWithin(what: string, noise: string): boolean {
  return what === noise || what.startsWith(`${noise}/`)
}

function changesOf(before: SeenResponse | null, after: SeenResponse | null): Change[] {
  if (before === null || after === null) {
    const text = (one: SeenResponse | null): string => (one === null ? 'none' : String(one.status))
    return before === after ? [] : [{ what: 'response', before: text(before), after: text(after) }]
  }
  const changes: Change[] = []
  const add = (what: string, one: unknown, other: unknown): void => {
    if (stable(one) !== stable(other)) changes.push({ what, before: shown(one), after: shown(other) })
  }
  add('status', before.status, after.status)
  for (const name of new Set([...Object.keys(before.headers), ...Object.keys(after.headers)])) {
    if (!LEFT_OUT.has(name)) add(`header ${name}`, before.headers[name], after.headers[name])
  }
  compareValues('body', parsed(before.body), parsed(after.body), add)
  return changes
}

const DEEPEST = 20

/** Compares values member by member, so that a change has a pointer. */
function compareValues(
  at: string,
  one: unknown,
  other: unknown,
  add: (what: string, one: unknown, other: unknown) => void,
): void {
  const bothObjects = isObject(one) && isObject(other)
  const bothLists = Array.isArray(one) && Array.isArray(other) && one.length === other.length
  if ((!bothObjects && !bothLists) || at.split('/').length > DEEPEST) {
    add(at, one, other)
    return
  }
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    compareValues(`${at}/${key}`, Reflect.get(one, key), Reflect.get(other, key), add)
  }
}

function parsed(body: string): unknown {
  if (!/^\s*[[{"\d]|^(?:true|false|null)$/.test(body)) return body
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** JSON has one character set (RFC 8259, section 8.1), whether the media type names it or not. */
const JSON_CHARSET = /^(application\/(?:[\w.-]+\+)?json); *charset=utf-8$/i

function stable(value: unknown): string {
  const text = typeof value === 'string' ? value.replace(JSON_CHARSET, '$1') : textOf(value)
  return VOLATILE.reduce((written, [pattern, name]) => written.replaceAll(pattern, name), text)
}

const MAX_SHOWN_LENGTH = 160

function shown(value: unknown): string {
  if (value === undefined) return 'none'
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none')
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH - 1)}…` : text
}

function byKey(exchanges: readonly Exchange[]): Map<string, Exchange[]> {
  const found = new Map<string, Exchange[]>()
  for (const exchange of exchanges) found.set(exchange.key, [...(found.get(exchange.key) ?? []), exchange])
  return found
}
