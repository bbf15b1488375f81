// Reads JSON (RFC 8259) and texts byte by byte, without numbers, `JSON.parse` or a decoder: what was sent, exactly.

/** A decimal number as it was written: `coefficient` times ten to the `exponent`. */
export class Decimal {
  readonly coefficient: bigint
  readonly exponent: number

  constructor(text: string) {
    const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text)
    const [, sign = '', whole = '', fraction = '', exponent = '0'] = match ?? []
    if (match === null || whole + fraction === '') throw new SyntaxError(`no decimal: ${text}`)
    const digits = BigInt(whole + fraction)
    this.coefficient = sign === '-' ? -digits : digits
    this.exponent = Number(exponent) - fraction.length
  }

  /** A fraction that has the same value. */
  get fraction(): readonly [bigint, bigint] {
    const power = 10n ** BigInt(Math.abs(this.exponent))
    return this.exponent < 0 ? [this.coefficient, power] : [this.coefficient * power, 1n]
  }
}

/** The members of an object in the order in which they were written; a name may come twice. */
export class Members {
  readonly list: (readonly [name: string, value: Exact])[] = []
}

export type Exact = null | boolean | string | Decimal | Members | Exact[]

/** The least code point of a sequence, by the number of its bytes (RFC 3629, section 3). */
const LEAST = [0, 0, 0x80, 0x8_00, 0x1_00_00]

/** @throws SyntaxError for bytes that are no UTF-8 */
export function readUtf8(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0
    const length = first < 0x80 ? 1 : first >> 5 === 6 ? 2 : first >> 4 === 14 ? 3 : first >> 3 === 30 ? 4 : 0
    let point = length === 1 ? first : first & (0xff >> (length + 1))
    for (let next = at + 1; next < at + length; next++) {
      const byte = bytes[next] ?? 0
      if (byte >> 6 !== 2) throw new SyntaxError('a sequence is cut')
      point = (point << 6) | (byte & 0x3f)
    }
    const isSurrogate = point >= 0xd8_00 && point <= 0xdf_ff
    if (length === 0 || point < (LEAST[length] ?? 0) || point > 0x10_ff_ff || isSurrogate)
      throw new SyntaxError('no UTF-8')
    text += String.fromCodePoint(point)
    at += length
  }
  return text
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** @throws SyntaxError for what is no JSON in UTF-8 */
export function readJson(bytes: Uint8Array): Exact {
  const reader = new Reader(readUtf8(bytes))
  const value = reader.value()
  if (reader.skip() !== '') throw new SyntaxError('more than a value')
  return value
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Skips blanks, and returns the next character. */
  skip(): string {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? 'end')) this.#at++
    return this.#text[this.#at] ?? ''
  }

  /** @param expression - with the flag `y` */
  #take(expression: RegExp): string {
    expression.lastIndex = this.#at
    const [found] = expression.exec(this.#text) ?? []
    if (found === undefined) throw new SyntaxError(`unexpected at ${this.#at}`)
    this.#at += found.length
    return found
  }

  value(): Exact {
    const next = this.skip()
    if (next === '{') return this.#members()
    if (next === '[') return this.#items()
    if (next === '"') return this.#string()
    if (/[a-z]/.test(next)) {
      const word = this.#take(/true|false|null/y)
      return word === 'null' ? null : word === 'true'
    }
    return new Decimal(this.#take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y))
  }

  #members(): Members {
    const members = new Members()
    this.#each('}', () => {
      this.skip()
      const name = this.#string()
      this.skip()
      this.#take(/:/y)
      members.list.push([name, this.value()])
    })
    return members
  }

  #items(): Exact[] {
    const items: Exact[] = []
    this.#each(']', () => void items.push(this.value()))
    return items
  }

  #each(end: string, read: () => void): void {
    this.#at++
    if (this.skip() !== end) {
      read()
      while (this.skip() === ',') {
        this.#at++
        read()
      }
    }
    if (this.#text[this.#at++] !== end) throw new SyntaxError(`no end at ${this.#at}`)
  }

  #string(): string {
    const raw = this.#take(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y)
    return raw
      .slice(1, -1)
      .replace(/\\(u([\da-fA-F]{4})|.)/g, (_all, one: string, code: string | undefined) =>
        code === undefined ? (ESCAPES[one] ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
      )
  }
}

/** Reads percent-escapes, with `+` as a blank for forms. @throws SyntaxError for what is no UTF-8 */
export function readEscapes(text: string, hasPlus: boolean): string {
  const bytes: number[] = []
  for (let at = 0; at < text.length; at++) {
    const one = text[at] ?? ''
    if (one === '+' && hasPlus) bytes.push(0x20)
    else if (one !== '%') bytes.push(text.charCodeAt(at))
    else {
      const digits = text.slice(at + 1, at + 3)
      if (!/^[\da-f]{2}$/i.test(digits)) throw new SyntaxError('no escape')
      bytes.push(Number.parseInt(digits, 16))
      at += 2
    }
  }
  return readUtf8(Uint8Array.from(bytes))
}
