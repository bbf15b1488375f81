import { isExactText, pointerOf, remember } from '@cloister/schema/internal'

import { contentsOf } from './contents.ts'
import { readEscapes } from './escapes.ts'
import type { Digits } from './long-number.ts'
import { scanBytes, type TextScanner } from './scan-bytes.ts'
import { hasSmallNumber } from './small-number.ts'
import { inexact, type ExactOption, type ExactRules, type Literals } from './rules.ts'

/** A body of JSON: its bytes if they are at hand, their text, and what was read from it. */
interface JsonBody {
  readonly bytes: Uint8Array | null
  readonly text: string
  /** names that are given twice were read once */
  readonly value: unknown
  /** gets the texts of numbers that are no safe integers; `null` if validators read none */
  readonly literals: Literals | null
  readonly scanner: TextScanner
}

/**
 * Refuses JSON whose value is not the only one that can be read from it. Only where counts and a scan find a doubt, the
 * text is read token by token, for the verdict and the position.
 *
 * @throws `CLO_ERR_INPUT_INEXACT`
 */
export function checkJson(body: JsonBody, rules: ExactRules): void {
  const escapes = readEscapes(body.text)
  const isDoubtful =
    (rules.text && escapes.haveSurrogates) ||
    ((rules.names || rules.numbers) && isDoubtfulValue(body, rules, escapes.quotes))
  if (isDoubtful) new JsonReader(body, rules).read()
}

/** @param escaped - the number of quotes within texts */
function isDoubtfulValue(
  { bytes, text, value, literals, scanner }: JsonBody,
  { names, numbers }: ExactRules,
  escaped: number,
): boolean {
  const contents = contentsOf(value)
  if (contents.isOdd || (literals !== null && contents.hasLarge)) return true
  if (numbers && contents.hasZero && hasSmallNumber(text)) return true
  const digits = digitsOf(numbers, contents.hasInteger, literals !== null)
  const { quotes, hasLongNumber } = bytes === null ? scanner.scan(text, digits) : scanBytes(bytes, digits)
  // A name that is given twice is a text more than the value has.
  return hasLongNumber || (names && quotes - escaped !== 2 * contents.texts)
}

function digitsOf(numbers: boolean, hasInteger: boolean, keepsLiterals: boolean): Digits {
  if (!numbers) return 'none'
  if (keepsLiterals) return 'all'
  return hasInteger ? 'integers' : 'none'
}

/** A text is only its first quote. Whitespace, colons and literals need no look. */
const TOKEN = /"|-?\d[\d.eE+-]*|[[\]{},]/
/** A half of a character without the other one: with the flag `u`, pairs are one character. */
const LONE_SURROGATE = /\p{Surrogate}/u
const LONE_SURROGATES = /\p{Surrogate}/gu

/** An object or a list that the reader is in. */
interface Level {
  /** the names so far; `null` in a list */
  readonly names: Set<string> | null
  key: string | number
  /** what was read; of members with one name, the last one */
  readonly value: unknown
  /** the next text is a name */
  expectsName: boolean
}

/** Reads valid JSON token by token. */
class JsonReader {
  readonly #body: JsonBody
  readonly #rules: ExactRules
  readonly #levels: Level[] = []

  constructor(body: JsonBody, rules: ExactRules) {
    this.#body = body
    this.#rules = rules
  }

  /** @throws `CLO_ERR_INPUT_INEXACT` */
  read(): void {
    const levels = this.#levels
    for (const token of tokensOf(this.#body.text)) {
      if (token === '{') levels.push({ names: new Set(), key: '', value: this.#next(), expectsName: true })
      else if (token === '[') levels.push({ names: null, key: 0, value: this.#next(), expectsName: false })
      else if (token === '}' || token === ']') levels.pop()
      else if (token === ',') next(levels.at(-1))
      else if (token.startsWith('"')) this.#readText(token)
      else this.#readNumber(token)
    }
  }

  #readText(token: string): void {
    const level = this.#levels.at(-1)
    const isName = level?.expectsName === true
    const text = isName || token.includes('\\u') ? unescape(token) : ''
    if (isName) {
      level.key = text
      level.expectsName = false
    }
    if (this.#rules.text && LONE_SURROGATE.test(text))
      throw this.#refuse('bodyText', 'contains a lone surrogate, which is no character (RFC 7493, 2.1)')
    if (!isName) return
    if (this.#rules.names && level.names?.has(text) === true)
      throw this.#refuse('duplicateNames', 'is given twice; an object names each member once (RFC 7493, 2.3)')
    level.names?.add(text)
  }

  #readNumber(token: string): void {
    if (!this.#rules.numbers) return
    const number = Number(token)
    if (!Number.isFinite(number) || (Number.isSafeInteger(number) && !isExactText(token)))
      throw this.#refuse('integers', 'is not exactly representable as a number')
    if (!Number.isSafeInteger(number)) this.#keep(token)
  }

  /** Keeps the text of a number for validators. */
  #keep(token: string): void {
    const { literals } = this.#body
    const { value, key } = this.#levels.at(-1) ?? {}
    if (literals !== null && typeof value === 'object' && value !== null)
      remember(literals, value, () => new Map<string, string>()).set(String(key), token)
  }

  /** Returns the value of the next token. */
  #next(): unknown {
    const level = this.#levels.at(-1)
    if (level === undefined) return this.#body.value
    const { value, key } = level
    const isHolder = typeof value === 'object' && value !== null
    return isHolder && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
  }

  #refuse(option: ExactOption, problem: string): Error {
    const pointer = pointerOf(this.#levels.map(({ key }) => key))
    return inexact(option, 'body', pointer.replace(LONE_SURROGATES, '\uFFFD'), problem)
  }
}

function* tokensOf(text: string): Generator<string> {
  const tokens = new RegExp(TOKEN, 'g')
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    if (match[0] === '"') tokens.lastIndex = endOfText(text, match.index)
    yield text.slice(match.index, tokens.lastIndex)
  }
}

/** Returns the index after a text. A pattern for all of it would exhaust the stack of the engine with some megabytes. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(text: string, at: number): boolean {
  let from = at
  while (text[from - 1] === '\\') from--
  return (at - from) % 2 === 1
}

function next(level: Level | undefined): void {
  if (level === undefined) return
  if (typeof level.key === 'number') level.key++
  else level.expectsName = true
}

function unescape(token: string): string {
  return String(JSON.parse(token))
}
