import { loadRegexpp } from '../dependencies.ts'
import { isExponential } from './ambiguity.ts'
import { automatonOf, TooLarge } from './positions.ts'

const REPEATED_GROUP = /\)[*+{]/

/** Whether an expression repeats a group: in any other the ways to read a text cannot multiply. */
export function repeatsGroup(source: string): boolean {
  return REPEATED_GROUP.test(source)
}

/**
 * Whether the time of a regular expression (flag `u`) on a text that it does not match can double with each
 * character, as that of `^(a+)+$` does. It says yes only where that is so; what it cannot look into it lets pass:
 * backreferences, what lookaheads and lookbehinds contain, and very large expressions.
 */
export function backtracksExponentially(source: string): boolean {
  if (!repeatsGroup(source)) return false
  const { RegExpParser } = loadRegexpp()
  try {
    const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true })
    return isExponential(automatonOf(pattern))
  } catch (error) {
    if (error instanceof TooLarge) return false
    throw error
  }
}
