import { assertRules, invalid, isRecord, milliseconds, rule, RULES } from './options.ts'
import type { LimitOptions, LimitRule, LimitState, LimitStore, WebRequest } from './types.ts'

/** A checked limit. */
export interface Limit {
  readonly rule: LimitRule
  readonly group: string
  /** the group as a text of a structured field */
  readonly policy: string
  readonly by: (request: WebRequest) => string | null | undefined
  readonly store: LimitStore
  readonly refusesOnFailure: boolean
  readonly hasFields: boolean
}

/** What limits of routes have of the app's limit: all are counted in one place. */
export interface InheritedLimit {
  readonly store: LimitStore
  readonly onStoreFailure: LimitOptions['onStoreFailure']
}

const OPTIONS = {
  max: RULES.positive,
  per: rule(
    "a number of milliseconds, or a text such as '1m'",
    (value) => !Number.isNaN(milliseconds(value)),
  ),
  by: rule("'address' or a function", (value) => value === 'address' || typeof value === 'function'),
  group: RULES.text,
  store: rule(
    'an object with the method take',
    (value) => isRecord(value) && typeof value['take'] === 'function',
  ),
  onStoreFailure: rule("'allow' or 'refuse'", (value) => value === 'allow' || value === 'refuse'),
  fields: RULES.flag,
}

/**
 * Checks a limit.
 *
 * @param group - of a limit without one
 * @param inherited - what a limit without a store or a failure mode of its own has
 * @throws WebOptionError
 */
export function compileLimit(given: LimitOptions, group: string, inherited: InheritedLimit): Limit {
  assertRules(given, OPTIONS, 'limit')
  if (given.max === undefined) throw invalid('limit.max', RULES.positive.wanted, undefined)
  if (given.per === undefined) throw invalid('limit.per', OPTIONS.per.wanted, undefined)
  const { by = 'address', store = inherited.store, onStoreFailure = inherited.onStoreFailure } = given
  const counted = given.group ?? group
  return {
    rule: { max: given.max, perMs: milliseconds(given.per) },
    // In quotes, so that no key of a client continues it.
    group: JSON.stringify(counted),
    policy: fieldText(counted),
    by: by === 'address' ? ({ ip }) => network(ip) : by,
    store,
    refusesOnFailure: onStoreFailure === 'refuse',
    hasFields: given.fields === true,
  }
}

/** Writes a String of structured fields, which has only ASCII (RFC 9651 section 3.3.3); others are percent-encoded. */
function fieldText(text: string): string {
  const ascii = text.replaceAll(/[^\u0020-\u007e]/gu, (one) =>
    encodeURIComponent(one.replace(LONE, '\uFFFD')),
  )
  return `"${ascii.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

/** A half of a character without the other one. */
const LONE = /\p{Surrogate}/u

/** Returns the address of a client; for IPv6 its /64 network, which one client usually has whole. */
export function network(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  if (!address.includes(':') && !address.includes('%')) return address
  const [bare = ''] = address.split('%', 1)
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!bare.includes(':')) return bare
  const [head = '', tail] = bare.split('::', 2)
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
  return `${groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/** The most keys that are kept. */
const MAX_KEYS = 20_000

/**
 * Counts requests in the memory of this process, by the generic cell rate algorithm: one number for each client, the
 * time at which all its requests are free again. Forgets the clients that it has not seen for the longest time.
 */
export class MemoryStore implements LimitStore {
  readonly #freeAt = new Map<string, number>()
  readonly #now: () => number
  readonly #most: number

  /**
   * @param now - a clock in milliseconds that does not go back
   * @param most - the most clients that are kept
   */
  constructor(now: () => number = () => performance.now(), most: number = MAX_KEYS) {
    this.#now = now
    this.#most = most
  }

  /** Takes `cost` requests of a client, unless that exceeds the rule. */
  take(key: string, cost: number, { max, perMs }: LimitRule): LimitState {
    const now = this.#now()
    const each = perMs / max
    const freeAt = Math.max(this.#freeAt.get(key) ?? now, now)
    const next = freeAt + cost * each
    const over = next - now - perMs
    // A sum of fractions may exceed the period by less than a thousandth of a request.
    const allowed = over <= each / 1000
    this.#freeAt.delete(key)
    this.#freeAt.set(key, allowed ? next : freeAt)
    if (this.#freeAt.size > this.#most) this.#forget()
    if (!allowed) return { allowed, remaining: 0, resetMs: over }
    return { allowed, remaining: Math.floor((perMs - (next - now)) / each + 0.001), resetMs: next - now }
  }

  #forget(): void {
    const [oldest] = this.#freeAt.keys()
    if (oldest !== undefined) this.#freeAt.delete(oldest)
  }
}
