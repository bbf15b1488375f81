import type { Random } from '../validator/random.ts'

/** Random expressions, and texts that they match or almost match. The same few characters occur in both. */

/** An expression, and a maker of texts that it matches, but for its assertions. */
export interface RandomExpression {
  readonly native: RegExp
  readonly sample: () => string
}

/** A piece of an expression, and a maker of what it reads. */
interface Piece {
  readonly source: string
  readonly sample: () => string
}

const FLAGS = ',,,,u,u,u,u,u,u,iu,iu,i,su,s,mu,m,mu,m,imsu'.split(',')

const LETTERS = Array.from('aabbc_1 -AéÉksSſßẞ日Σσς\u212a')
const RARE = [
  ...Array.from('\n\r\u2028\t\0\b\u00a0\ufeff😀𝒳\u{10428}\u{10400}\u{10ffff}'),
  '\ud83d',
  '\ude00',
  '\ud83d',
  '\ude00',
]
const ALL = [...LETTERS, ...RARE]

const SETS =
  String.raw`. . \d \D \w \W \s \S [ab] [^a] [a-c] [^\d] [\w-] [-a] [\]a] [^\n] [^] [] [\b] [\s\S] [a-cA] [é-日]`.split(
    ' ',
  )
const ESCAPES =
  String.raw`\x61 \u0061 \cJ \t \n \0 \/ \. \$ \ud83d \ude00 \ud83d\ude00 [\ud83d] [\ud83d\ude00] [^\ude00] [\ude00-\udfff] [a-\ud83d]`.split(
    ' ',
  )
const UNICODE =
  String.raw`\u{61} \u{1f600} [\u{1f600}-\u{1f610}] [😀𝒳] [^😀] \u{1d4b3} \ud835\udcb3 [\u{10400}-\u{10428}] \p{L} \P{Lu} [\p{Ll}\d]`.split(
    ' ',
  )
/** Without the flag `u` these are characters, or more than one. */
const OLD = String.raw`{ } ] \p \u{2} \x \k \- a{,2} [😀] \u006 \x6 [\-a] [\k] \a \_`.split(' ')
const ASSERTIONS = [String.raw`\b`, String.raw`\B`, String.raw`\B`, '^', '$']
/** Each with the least and the most times that a sample has. */
const QUANTIFIERS: readonly (readonly [string, number, number])[] = [
  ['*', 0, 3],
  ['*', 0, 3],
  ['+', 1, 3],
  ['?', 0, 1],
  ['{2}', 2, 2],
  ['{0}', 0, 0],
  ['{1,2}', 1, 2],
  ['{2,}', 2, 4],
  ['{0,2}', 0, 2],
  ['{1,3}', 1, 3],
]

const MAX_LENGTH = 8

/** A random expression of some elements. */
export function randomExpression(random: Random): RandomExpression {
  for (;;) {
    const flags = random.pick(FLAGS)
    const head = random.chance(0.35) ? '^' : ''
    const look = head === '^' && random.chance(0.2) ? lookahead(random, flags) : ''
    const tail = random.chance(0.35) ? '$' : ''
    const { source, sample } = choice(random, flags, 3)
    try {
      return { native: new RegExp(`${head}${look}${source}${tail}`, flags), sample }
    } catch {
      // Some pieces do not fit together.
    }
  }
}

function lookahead(random: Random, flags: string): string {
  return `(?${random.pick(['=', '!'])}${choice(random, flags, 2).source})`
}

function choice(random: Random, flags: string, depth: number): Piece {
  const count = random.chance(0.3) ? 2 + random.below(2) : 1
  const pieces = Array.from({ length: count }, () => sequence(random, flags, depth))
  return {
    source: pieces.map(({ source }) => source).join('|'),
    sample: () => random.pick(pieces).sample(),
  }
}

function sequence(random: Random, flags: string, depth: number): Piece {
  const pieces = Array.from({ length: random.below(4) }, () => term(random, flags, depth))
  return {
    source: pieces.map(({ source }) => source).join(''),
    sample: () => pieces.map(({ sample }) => sample()).join(''),
  }
}

function term(random: Random, flags: string, depth: number): Piece {
  if (random.chance(0.12)) return { source: random.pick(ASSERTIONS), sample: () => '' }
  const isGroup = depth > 0 && random.chance(0.35)
  const { source, sample } = isGroup ? group(random, flags, depth - 1) : atom(random, flags)
  if (!random.chance(0.45)) return { source, sample }
  const [quantifier, min, max] = random.pick(QUANTIFIERS)
  return {
    source: source + quantifier + (random.chance(0.25) ? '?' : ''),
    sample: () => Array.from({ length: min + random.below(max - min + 1) }, sample).join(''),
  }
}

function group(random: Random, flags: string, depth: number): Piece {
  const { source, sample } = choice(random, flags, depth)
  const open = random.pick(['(', '(', '(?:', `(?<g${random.below(1e6)}>`])
  return { source: `${open}${source})`, sample }
}

function atom(random: Random, flags: string): Piece {
  const kind = random.below(20)
  let source = random.pick(LETTERS)
  if (kind >= 18) source = random.pick(flags.includes('u') ? UNICODE : OLD)
  else if (kind >= 16) source = random.pick(RARE)
  else if (kind >= 14) source = random.pick(ESCAPES)
  else if (kind >= 10) source = random.pick(SETS)
  const matching = matchesOf(source, flags)
  return { source, sample: () => (matching.length === 0 ? '' : random.pick(matching)) }
}

function matchesOf(source: string, flags: string): string[] {
  try {
    const expression = new RegExp(`^(?:${source})$`, flags)
    return ALL.filter((letter) => expression.test(letter))
  } catch {
    return []
  }
}

/** A text that an expression matches, or almost matches, or any text. */
export function randomText(random: Random, sample: () => string): string {
  const kind = random.below(8)
  if (kind < 2) return lettersOf(random, 10)
  const text = sample().slice(0, MAX_LENGTH)
  if (kind < 5) return text
  const at = random.below(text.length + 1)
  const removed = random.below(2)
  return text.slice(0, at) + lettersOf(random, 3) + text.slice(at + removed)
}

function lettersOf(random: Random, most: number): string {
  const letters = random.chance(0.4) ? LETTERS.slice(0, 5) : ALL
  return Array.from({ length: random.below(most) }, () => random.pick(letters)).join('')
}
