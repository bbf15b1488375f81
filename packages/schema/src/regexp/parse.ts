/*
 * Reads expressions that V8 accepts, so it checks nothing. It doesn't read which characters a set contains either: V8
 * tests that, one character at a time. Only the characters where a set can begin or end are collected.
 */

/** A set of characters, one of which an expression reads. */
export interface Atom {
  /** The set as an expression of its own. */
  readonly source: string
  /** The characters where it may begin or end, without those of the sets that have names. */
  readonly bounds: readonly number[]
  /** Whether it has a property of Unicode, whose bounds are not listed. */
  readonly hasProperty: boolean
}

/** An assertion about the position between two characters. */
export type Assertion = 'start' | 'end' | 'boundary' | 'inside'

/** A part of an expression. */
export type Part =
  | { readonly kind: 'atom'; readonly atom: Atom }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Part[] }
  | Capture
  | Repetition
  | Lookaround
  | { readonly kind: 'backreference'; readonly group: number }

/** A part whose text is kept. */
export interface Capture {
  readonly kind: 'capture'
  readonly group: number
  readonly part: Part
}

/** A part that is read a number of times. */
export interface Repetition {
  readonly kind: 'repetition'
  readonly part: Part
  readonly min: number
  readonly max: number
  readonly isLazy: boolean
  /** The first capturing group inside, and the first one behind. */
  readonly groups: readonly [from: number, to: number]
}

/** A part that is compared with the text around a place. */
export interface Lookaround {
  readonly kind: 'look'
  readonly isAhead: boolean
  readonly isNegative: boolean
  readonly part: Part
}

/** An expression. */
export interface Pattern {
  readonly part: Part
  readonly flags: string
  readonly atoms: readonly Atom[]
  /** Number of capturing groups, the whole match not counted. */
  readonly groups: number
  /** Whether it has an assertion about word boundaries. */
  readonly asksForWords: boolean
}

/** Thrown for an expression that is not read or run here. The message completes "because it has …". */
export class Unsupported extends Error {}

/**
 * Whether a part can match without reading a character.
 * @param further - whether parts that read none, or may read none, can: assertions, lookarounds, backreferences
 */
export function canBeEmpty(part: Part, further: boolean = true): boolean {
  switch (part.kind) {
    case 'atom':
      return false
    case 'sequence':
      return part.parts.every((one) => canBeEmpty(one, further))
    case 'choice':
      return part.parts.some((one) => canBeEmpty(one, further))
    case 'capture':
      return canBeEmpty(part.part, further)
    case 'repetition':
      return part.min === 0 || canBeEmpty(part.part, further)
    default:
      return further
  }
}

const MAX_DEPTH = 100

const OPENING = /\((?:\?(?:(?<plain>:)|(?<behind><?)(?<look>[=!])|<[^>]*>|(?<modifiers>[a-z-]*:)))?/y
const QUANTIFIER = /(?:(?<sign>[*+?])|\{(?<min>\d+)(?<comma>,?)(?<max>\d*)\})(?<lazy>\??)/y
const REFERENCE = /\\(?:(?<group>[1-9]\d*)|k<(?<name>[^>]*)>)/y
const GROUPS = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|(?<capture>\((?:\?<(?![=!])(?<name>[^>]*)>|(?!\?)))/g

const HEX = '[0-9A-Fa-f]'
const SIMPLE = String.raw`(?<set>[dswDSW])|x(?<byte>${HEX}{2})|u(?<unit>${HEX}{4})|c(?<control>[A-Za-z])|(?<digits>\d+)|(?<other>[^])`
const ESCAPE = new RegExp(String.raw`\\(?:${SIMPLE})`, 'y')
const PAIR = `u(?<high>[dD][89abAB]${HEX}{2})\\\\u(?<low>[dD][c-fC-F]${HEX}{2})`
const UNICODE_ESCAPE = new RegExp(
  String.raw`\\(?:(?<property>[pP]\{[^}]*\})|${PAIR}|u\{(?<point>${HEX}+)\}|${SIMPLE})`,
  'y',
)

const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ['^', 'start'],
  ['$', 'end'],
  [String.raw`\b`, 'boundary'],
  [String.raw`\B`, 'inside'],
])
const CONTROLS: ReadonlyMap<string, string> = new Map(
  ['t\t', 'n\n', 'v\v', 'f\f', 'r\r', 'b\b'].map((two) => [two.charAt(0), two.charAt(1)]),
)

/**
 * Parses an expression.
 * @throws {@link Unsupported}
 */
export function parsePattern(source: string, flags: string): Pattern {
  if (flags.includes('v')) throw new Unsupported('the flag v')
  return new Parser(source, flags).pattern()
}

class Parser {
  readonly #source: string
  readonly #flags: string
  readonly #isUnicode: boolean
  /** The names of the groups; undefined for those that have none. */
  readonly #names: readonly (string | undefined)[]
  readonly #atoms: Map<string, Atom> = new Map()
  #at = 0
  #opened = 0
  #depth = 0
  #asksForWords = false

  constructor(source: string, flags: string) {
    this.#source = source
    this.#flags = flags
    this.#isUnicode = flags.includes('u')
    const found = [...source.matchAll(GROUPS)].filter(({ groups }) => groups?.['capture'] !== undefined)
    this.#names = found.map(({ groups }) => groups?.['name'])
  }

  pattern(): Pattern {
    const part = this.#choice()
    const atoms = [...this.#atoms.values()]
    return { part, flags: this.#flags, atoms, groups: this.#names.length, asksForWords: this.#asksForWords }
  }

  #choice(): Part {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw new Unsupported(`more than ${MAX_DEPTH} groups in each other`)
    const first = this.#sequence()
    const parts = [first]
    while (this.#source[this.#at] === '|') {
      this.#at += 1
      parts.push(this.#sequence())
    }
    this.#depth -= 1
    return parts.length === 1 ? first : { kind: 'choice', parts }
  }

  #sequence(): Part {
    const parts: Part[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at))) {
      const from = this.#opened
      const part = this.#element()
      const quantifier = this.#match(QUANTIFIER)
      parts.push(quantifier === undefined ? part : repetition(part, quantifier, [from, this.#opened]))
    }
    return { kind: 'sequence', parts }
  }

  #element(): Part {
    const sign = this.#source.charAt(this.#at)
    const letters = sign === '\\' ? 2 : 1
    const assertion = ASSERTIONS.get(this.#source.slice(this.#at, this.#at + letters))
    if (assertion !== undefined) {
      this.#at += letters
      this.#asksForWords ||= sign === '\\'
      return { kind: 'assertion', assertion }
    }
    if (sign === '(') return this.#group()
    const group = sign === '\\' ? this.#reference() : undefined
    if (group !== undefined) return { kind: 'backreference', group }
    return { kind: 'atom', atom: sign === '[' ? this.#class() : this.#single() }
  }

  #group(): Part {
    const { plain, behind, look, modifiers } = this.#match(OPENING) ?? {}
    if (modifiers !== undefined) throw new Unsupported('flags of a group')
    const group = this.#opened
    const isCapture = plain === undefined && look === undefined
    if (isCapture) this.#opened += 1
    const part = this.#choice()
    this.#at += 1
    if (isCapture) return { kind: 'capture', group, part }
    return look === undefined
      ? part
      : { kind: 'look', isAhead: behind === '', isNegative: look === '!', part }
  }

  /** Reads a reference to a group; without the flag `u` the same text can be a character. */
  #reference(): number | undefined {
    const start = this.#at
    const { group, name } = this.#match(REFERENCE) ?? {}
    const isName = name !== undefined && (this.#isUnicode || this.#names.some((one) => one !== undefined))
    if (isName) return this.#names.indexOf(name)
    if (group !== undefined && (this.#isUnicode || Number(group) <= this.#names.length))
      return Number(group) - 1
    this.#at = start
    return undefined
  }

  #class(): Atom {
    const start = this.#at
    const bounds: number[] = []
    let hasProperty = false
    this.#at += 1
    while (this.#source[this.#at] !== ']') {
      const read = this.#character()
      if (typeof read === 'number') bounds.push(read, read + 1)
      else hasProperty ||= read === 'property'
    }
    this.#at += 1
    return this.#atom(this.#source.slice(start, this.#at), bounds, hasProperty)
  }

  #single(): Atom {
    const start = this.#at
    const isAny = this.#source[start] === '.'
    const read = this.#character()
    if (isAny || typeof read !== 'number')
      return this.#atom(this.#source.slice(start, this.#at), [], read === 'property')
    const digits = read.toString(16)
    const source = this.#isUnicode ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`
    return this.#atom(source, [read, read + 1], false)
  }

  #atom(source: string, bounds: readonly number[], hasProperty: boolean): Atom {
    const atom = this.#atoms.get(source) ?? { source, bounds, hasProperty }
    this.#atoms.set(source, atom)
    return atom
  }

  /** Reads a character or an escape: its code, or what it is instead. */
  #character(): number | 'set' | 'property' {
    if (this.#source[this.#at] === '\\')
      return escaped(this.#match(this.#isUnicode ? UNICODE_ESCAPE : ESCAPE) ?? {})
    const code = this.#isUnicode ? this.#source.codePointAt(this.#at) : this.#source.charCodeAt(this.#at)
    if (code === undefined || Number.isNaN(code)) throw new Unsupported('a class without an end')
    this.#at += code > 0xffff ? 2 : 1
    return code
  }

  /** The groups of an expression that matches here; skips its match. */
  #match(expression: RegExp): Readonly<Record<string, string | undefined>> | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#source)
    if (found === null) return undefined
    this.#at = expression.lastIndex
    return found.groups
  }
}

function escaped(groups: Readonly<Record<string, string | undefined>>): number | 'set' | 'property' {
  const { set, property, high, low, point, byte, unit, control, digits, other } = groups
  if (set !== undefined) return 'set'
  if (property !== undefined) return 'property'
  if (high !== undefined)
    return (Number(`0x${high}`) - 0xd800) * 0x400 + Number(`0x${low}`) - 0xdc00 + 0x10000
  const hex = point ?? byte ?? unit
  if (hex !== undefined) return Number(`0x${hex}`)
  if (control !== undefined) return control.charCodeAt(0) % 32
  if (digits === '0') return 0
  if (digits !== undefined || other === undefined || other === 'c') throw new Unsupported('a legacy escape')
  return (CONTROLS.get(other) ?? other).charCodeAt(0)
}

function repetition(
  part: Part,
  { sign, min, comma, max, lazy }: Readonly<Record<string, string | undefined>>,
  groups: Repetition['groups'],
): Repetition {
  const least = sign === undefined ? Number(min) : Number(sign === '+')
  const most =
    sign === undefined ? (comma === '' ? least : Number(max || Infinity)) : sign === '?' ? 1 : Infinity
  return { kind: 'repetition', part, min: least, max: most, isLazy: lazy === '?', groups }
}
