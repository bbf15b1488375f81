// Changes inputs: octets, words, ranges, and parts of other inputs.
import type { Random } from '../../../packages/schema/test/validator/random.ts'

export const MAX_LENGTH = 4096
const OCTETS = ['\0', '\t', '\n', '\r', ' ', '0', ':', ';', ',', '"', '\\', 'a', '\x7f', '\x80', '\xff']

type Change = (text: string, random: Random, words: readonly string[], other: string) => string

const put = (text: string, at: number, left: number, piece: string): string =>
  text.slice(0, at) + piece + text.slice(at + left)

/** A range of a text. */
function range(text: string, random: Random): [from: number, length: number] {
  const from = random.below(text.length + 1)
  const most = random.chance(0.8) ? 16 : text.length
  return [from, random.below(Math.min(most, text.length - from) + 1)]
}

const CHANGES: readonly Change[] = [
  (text, random) => put(text, random.below(text.length + 1), 1, random.pick(OCTETS)),
  (text, random) => put(text, random.below(text.length + 1), 0, random.pick(OCTETS)),
  (text, random) => put(text, random.below(text.length + 1), 1, String.fromCharCode(random.below(256))),
  (text, random, words) => put(text, random.below(text.length + 1), 0, random.pick(words)),
  (text, random, words) => put(text, ...range(text, random), random.pick(words)),
  (text, random) => put(text, ...range(text, random), ''),
  (text, random) => {
    const [from, length] = range(text, random)
    return put(
      text,
      from,
      0,
      text.slice(from, from + length).repeat(1 + random.below(random.chance(0.9) ? 2 : 90)),
    )
  },
  (text, random) => text.slice(0, random.below(text.length + 1)),
  (text, random, _words, other) =>
    text.slice(0, random.below(text.length + 1)) + other.slice(random.below(other.length + 1)),
  (text, random, _words, other) => {
    const [from, length] = range(other, random)
    return put(text, random.below(text.length + 1), 0, other.slice(from, from + length))
  },
  (text, random) => {
    const lines = text.split('\r\n')
    const [one = '', two = ''] = lines.splice(random.below(lines.length), 2)
    lines.splice(random.below(lines.length + 1), 0, two, one)
    return lines.join('\r\n')
  },
  (text, random) => {
    const digits = [...text.matchAll(/[\da-f]+/gi)]
    const found = digits[random.below(digits.length)]
    if (found === undefined) return text
    const number = Number.parseInt(found[0], 16) + random.below(5) - 2
    return put(text, found.index, found[0].length, Math.max(0, number).toString(16))
  },
]

/** @param other - another input, of which parts may be taken */
export function mutate(text: string, other: string, random: Random, words: readonly string[]): string {
  let changed = text
  for (let count = 1 + random.below(random.chance(0.7) ? 2 : 8); count > 0; count--)
    changed = random.pick(CHANGES)(changed, random, words, other)
  return changed.slice(0, MAX_LENGTH)
}
