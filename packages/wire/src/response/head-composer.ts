import { FieldError, isFieldValue, problemOfField, type ResponseHeaders } from '../message/field.ts'
import type { FieldValue, Said } from '../message/framing.ts'

/** Fields that the engine writes, and the members that keep what the application says about them. */
const ASIDE: ReadonlyMap<string, 'connection' | 'length' | 'date' | 'keepAlive' | 'trailer' | 'coding'> =
  new Map([
    ['connection', 'connection'],
    ['content-length', 'length'],
    ['date', 'date'],
    ['keep-alive', 'keepAlive'],
    ['trailer', 'trailer'],
    ['transfer-encoding', 'coding'],
  ] as const)
/** Which lengths their names have: this decides about most fields. */
const ASIDE_LENGTHS: readonly boolean[] = Array.from({ length: 18 }, (_, length) =>
  [...ASIDE.keys()].some((name) => name.length === length),
)

const NO_FIELD: readonly [name: string, value: FieldValue] = ['', undefined]
const MAX_KNOWN = 500
const MAX_KNOWN_LENGTH = 100
/** Longer values are not remembered. */
const MAX_VALUE_LENGTH = 1000
/** After so many values of one name, values are not remembered: they differ from response to response. */
const MAX_CHANGES = 20

/**
 * Fields set on Node's response, by their lower-case names: the name as the application wrote it, and the value. It
 * has no prototype.
 */
export type SetFields = Readonly<Record<string, readonly [name: string, value: FieldValue]>>

/** A checked name, and the last line with it. */
interface KnownName {
  /** the text that precedes the value */
  readonly start: string
  value: string | null
  line: string
  changes: number
}

/**
 * Composes field lines (RFC 9112 section 5) and checks them, so that no header can begin another line. Collects the
 * fields about framing and the connection instead: the engine writes them, as `message/framing.ts` decides.
 */
export class HeadComposer implements Said {
  length: FieldValue = undefined
  coding: FieldValue = undefined
  connection: FieldValue = undefined
  keepAlive: FieldValue = undefined
  date: FieldValue = undefined
  trailer: FieldValue = undefined
  /** checked names; the values of many are the same in each response */
  readonly #names = new Map<string, KnownName>()
  /** lines of content types, of which there are few */
  readonly #types = new Map<string, string>()

  /**
   * Composes the lines of headers.
   *
   * @param set - headers set on Node's response. They precede the others, with the names as the application wrote
   * them. A header that is in both keeps its position in `set`, and gets name and value from `headers`, as in Node.
   * @throws FieldError when a header is invalid
   */
  compose(headers: Readonly<ResponseHeaders>, set: SetFields | null = null): string {
    this.length = undefined
    this.coding = undefined
    this.connection = undefined
    this.keepAlive = undefined
    this.date = undefined
    this.trailer = undefined
    let lines = ''
    for (const name in set) {
      const [written, own] = set[name] ?? NO_FIELD
      // A header name may equal a member of `Object.prototype`.
      const value = Object.hasOwn(headers, name) ? headers[name] : undefined
      lines += value === undefined ? this.#lines(written, own) : this.#lines(name, value)
    }
    for (const name in headers) if (set?.[name] === undefined) lines += this.#lines(name, headers[name])
    return lines
  }

  #lines(name: string, value: FieldValue): string {
    if (value === undefined) return ''
    if (ASIDE_LENGTHS[name.length] === true && this.#setAside(name, value)) return ''
    if (typeof value === 'string')
      return name === 'content-type'
        ? (this.#types.get(value) ?? this.#typeLine(value))
        : this.line(name, value)
    // Values set on Node's response may be anything; Node writes them as text.
    if (!Array.isArray(value)) return this.line(name, String(value))
    let lines = ''
    for (const one of value) lines += this.line(name, String(one))
    return lines
  }

  /**
   * Returns one line.
   *
   * @throws FieldError when it is invalid
   */
  line(name: string, value: string): string {
    const known = this.#names.get(name) ?? this.#checkName(name)
    if (known.value === value) return known.line
    if (!isFieldValue(value)) throw new FieldError(name, problemOfField(name, value) ?? '')
    const line = `${known.start}${value}\r\n`
    if (known.changes < MAX_CHANGES) remember(known, value, line)
    return line
  }

  #checkName(name: string): KnownName {
    const problem = problemOfField(name, '')
    if (problem !== null) throw new FieldError(name, problem)
    const changes = name.toLowerCase() === 'set-cookie' ? MAX_CHANGES : 0
    const known: KnownName = { start: `${name}: `, value: null, line: '', changes }
    if (this.#names.size < MAX_KNOWN && name.length <= MAX_KNOWN_LENGTH) this.#names.set(name, known)
    return known
  }

  /** Composes the line of a content type, and remembers it. */
  #typeLine(value: string): string {
    const line = this.line('content-type', value)
    if (this.#types.size < MAX_KNOWN && value.length <= MAX_KNOWN_LENGTH) this.#types.set(value, line)
    return line
  }

  /** Keeps a field aside if the engine writes it. @returns whether it did */
  #setAside(name: string, value: FieldValue): boolean {
    const member = ASIDE.get(name.toLowerCase())
    if (member === undefined) return false
    this[member] = value
    return true
  }
}

function remember(known: KnownName, value: string, line: string): void {
  known.changes += 1
  // What differs from response to response is not kept: it may be a secret of one client.
  const isKept = known.changes < MAX_CHANGES && value.length <= MAX_VALUE_LENGTH
  known.value = isKept ? value : null
  // One flat text: what has parts is joined again for each response.
  known.line = isKept ? Buffer.from(line, 'latin1').toString('latin1') : ''
}
