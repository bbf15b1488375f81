import type { Random } from '../validator/random.ts'

/** Random expressions and texts in which the same few characters occur, the unusual ones among them. */

const FLAGS = ',,,,,u,u,u,u,u,u,u,u,iu,i,su,s,mu,m,mu,m,imsu'.split(',')

const CHARACTERS = [
  'a',
  'a',
  'b',
  'b',
  'c',
  '_',
  '1',
  ' ',
  '-',
  'A',
  'é',
  'É',
  'k',
  '\u212a',
  's',
  'ſ',
  'ß',
  '日',
]
const RARE = [
  '\n',
  '\r',
  '\u2028',
  '\t',
  '\0',
  '\b',
  '\u00a0',
  '\ufeff',
  '😀',
  '𝒳',
  '\u{10428}',
  '\u{10400}',
  '\ud83d',
  '\ude00',
  '\u{10ffff}',
]

const SETS =
  String.raw`. . \d \D \w \W \s \S [ab] [^a] [a-c] [^\d] [\w-] [-a] [\]a] [^\n] [^] [] [\b] [\s\S] [a-cA] [é-日]`.split(
    ' ',
  )
const ESCAPES =
  String.raw`\x61 \u0061 \cJ \t \n \0 \/ \. \$ \ud83d \ude00 \ud83d\ude00 [\ud83d] [\ud83d\ude00] [^\ude00] [\ude00-\udfff] [a-\ud83d]`.split(
    ' ',
  )
const UNICODE =
  String.raw`\p{L} \P{L} \p{Lu} \p{Ll} [\p{L}\d] [^\p{Lu}] \p{Script=Greek} \u{61} \u{1f600} [\u{1f600}-\u{1f610}] [😀𝒳] [^😀] \-`
    .split(' ')
    .slice(0, -1)
/** Without the flag `u` these are characters, or more than one. */
const OLD = String.raw`{ } ] \p \u{2} \x \k \- a{,2} [😀] \u006 \x6 [\-a] [\k] \a \_`.split(' ')
const ASSERTIONS = [String.raw`\b`, String.raw`\B`, '^', '$', '^', '$']
const QUANTIFIERS = ['*', '+', '?', '{2}', '{0}', '{1,2}', '{0,1}', '{2,}', '{0,}', '{1,3}', '{0,2}']

/** A random expression of some elements. */
export function randomExpression(random: Random): RegExp {
  for (;;) {
    const flags = random.pick(FLAGS)
    const head = random.chance(0.3) ? '^' : ''
    const look = head === '^' && random.chance(0.2) ? lookahead(random, flags) : ''
    const tail = random.chance(0.3) ? '$' : ''
    const source = `${head}${look}${choice(random, flags, 3)}${tail}`
    try {
      return new RegExp(source, flags)
    } catch {
      // Some pieces do not fit together.
    }
  }
}

function lookahead(random: Random, flags: string): string {
  return `(?${random.pick(['=', '!'])}${choice(random, flags, 2)})`
}

function choice(random: Random, flags: string, depth: number): string {
  const count = random.chance(0.25) ? 2 + random.below(2) : 1
  return Array.from({ length: count }, () => sequence(random, flags, depth)).join('|')
}

function sequence(random: Random, flags: string, depth: number): string {
  return Array.from({ length: random.below(4) }, () => term(random, flags, depth)).join('')
}

function term(random: Random, flags: string, depth: number): string {
  if (random.chance(0.12)) return random.pick(ASSERTIONS)
  const isGroup = depth > 0 && random.chance(0.35)
  const element = isGroup ? group(random, flags, depth - 1) : atom(random, flags)
  if (!random.chance(0.45)) return element
  return element + random.pick(QUANTIFIERS) + (random.chance(0.25) ? '?' : '')
}

function group(random: Random, flags: string, depth: number): string {
  const open = random.pick(['(', '(', '(?:', `(?<g${random.below(1e6)}>`])
  return `${open}${choice(random, flags, depth)})`
}

function atom(random: Random, flags: string): string {
  const kind = random.below(20)
  if (kind < 10) return random.pick(CHARACTERS)
  if (kind < 14) return random.pick(SETS)
  if (kind < 16) return random.pick(ESCAPES)
  if (kind < 18) return random.pick(RARE)
  return random.pick(flags.includes('u') ? UNICODE : OLD)
}

/** A random text of some characters. */
export function randomText(random: Random): string {
  const letters = random.chance(0.5) ? CHARACTERS.slice(0, 3) : [...CHARACTERS, ...RARE, ...RARE]
  return Array.from({ length: random.below(10) }, () => random.pick(letters)).join('')
}
