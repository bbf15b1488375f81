import { indexOfBytes, joinBytes, utf8Text } from '../../bytes.ts'
import { invalid } from './form-parser.ts'
import { charsetIn, headProblem, MAX_HEAD, nameIn } from './part-head.ts'

const encoder = new TextEncoder()
const LINE_END = encoder.encode('\r\n')
const HEAD_END = encoder.encode('\r\n\r\n')
const NOTHING = new Uint8Array()
const NO_END = 'has no empty line behind its head'
const CR = 13
const DASH = 45

/**
 * Reads the heads of the parts of a form, beside the parser, which drops a part without a word if it doesn't understand
 * its head. What is before the first boundary and behind the last one means nothing (RFC 2046 section 5.1.1).
 */
export class PartHeads {
  readonly #delimiter: Uint8Array
  /** bytes that are read again with the next ones. A line begins with the body. */
  #kept: Uint8Array = LINE_END
  #state: 'content' | 'head' | 'end' = 'content'
  /** the content begins with the line end of the empty line */
  #isFirstLine = false
  #count = 0
  readonly #charsets = new Map<number, string>()

  constructor(boundary: string) {
    this.#delimiter = encoder.encode(`\r\n--${boundary}`)
  }

  /** how many parts have begun */
  get count(): number {
    return this.#count
  }

  /** Returns the charset of a part, by its number from 1; `null` if it is UTF-8 or has none. */
  charsetOf(part: number): string | null {
    return this.#charsets.get(part) ?? null
  }

  /**
   * Takes the next bytes of the form.
   *
   * @throws `CLO_ERR_FORM_INVALID` if the parser would drop a part
   */
  add(bytes: Uint8Array): void {
    if (this.#state === 'end') return
    const all = this.#kept.length === 0 ? bytes : joinBytes([this.#kept, bytes])
    let at = 0
    while (at !== -1) {
      const next = this.#state === 'content' ? this.#skipContent(all, at) : this.#readHead(all, at)
      if (next === -1) this.#keep(all, at)
      at = next
    }
  }

  /** The body has ended. */
  end(): void {
    if (this.#state === 'head' && this.#kept.length > 0) this.#refuseCut(this.#kept)
  }

  #skipContent(all: Uint8Array, from: number): number {
    const at = indexOfBytes(all, this.#delimiter, from)
    if (at === -1) return -1
    if (this.#isFirstLine && at === from) throw invalid(`part ${this.#count} ${NO_END}`)
    this.#isFirstLine = false
    this.#state = 'head'
    return at + this.#delimiter.length
  }

  /** Returns the place behind the head that begins at `from`, or -1 if there is none yet or no more. */
  #readHead(all: Uint8Array, from: number): number {
    if (all.length - from < 2) return -1
    if (all[from] === DASH && all[from + 1] === DASH) {
      this.#state = 'end'
      return -1
    }
    const head = all.subarray(from, from + MAX_HEAD + HEAD_END.length + this.#delimiter.length)
    const end = indexOfBytes(head, HEAD_END, 0)
    const cut = indexOfBytes(head, this.#delimiter, 0)
    if (cut !== -1 && (end === -1 || cut < end + HEAD_END.length)) this.#refuseCut(head.subarray(0, cut))
    if (end > MAX_HEAD || (end === -1 && head.length >= MAX_HEAD + HEAD_END.length))
      this.#refuse(utf8Text(head), `has a head of more than ${MAX_HEAD} bytes`)
    if (end === -1) return -1
    this.#count += 1
    const text = utf8Text(head.subarray(0, end + LINE_END.length))
    const problem = headProblem(text)
    if (problem !== null) throw this.#error(this.#count, text, problem)
    const charset = charsetIn(text)
    if (charset !== null) this.#charsets.set(this.#count, charset)
    this.#state = 'content'
    this.#isFirstLine = true
    return from + end + LINE_END.length
  }

  #refuseCut(head: Uint8Array): never {
    const text = utf8Text(head)
    const hasBareEnd = /(?<!\r)\n/.test(text)
    return this.#refuse(text, hasBareEnd ? 'has a line that ends with LF alone, not CRLF' : NO_END)
  }

  #refuse(text: string, problem: string): never {
    throw this.#error(this.#count + 1, text, problem)
  }

  #error(number: number, text: string, problem: string): Error {
    const name = nameIn(text)
    return invalid(`part ${number}${name === null ? '' : ` ('${name}')`} ${problem}`)
  }

  /** Keeps a head that has not ended, or what may be the beginning of a delimiter. */
  #keep(all: Uint8Array, at: number): void {
    const from = this.#state === 'content' ? this.#delimiterStart(all, at) : at
    if (from > at) this.#isFirstLine = false
    this.#kept = this.#state === 'end' ? NOTHING : new Uint8Array(all.subarray(from))
  }

  #delimiterStart(all: Uint8Array, from: number): number {
    const delimiter = this.#delimiter
    let at = all.indexOf(CR, Math.max(from, all.length - delimiter.length + 1))
    while (at !== -1 && !all.subarray(at).every((byte, n) => byte === delimiter[n]))
      at = all.indexOf(CR, at + 1)
    return at === -1 ? all.length : at
  }
}
