/*
 * A check of most expressions without parsing them: they are anchored and have at most one part of unlimited length,
 * so that each text can be read in few ways.
 */

const REPEATED_GROUP = /\)[*+{]/
/** What may compare a text with another one, character by character. */
const REFERENCE = /\\[1-9k]/
const TOKEN = /\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+)(,?)(\d*)\}|\((?:\?[:=!])?|[*+?|){]/gsu

/** Number of ways that needs no analysis. */
const FEW_WAYS = 16
const FEW_LIMITED_WAYS = 10_000

/** Whether an expression repeats a group, without which the ways to read a text cannot double with each character. */
export function repeatsGroup(source: string): boolean {
  return REPEATED_GROUP.test(source)
}

/** Whether an expression takes linear time for certain. */
export function isSurelyLinear(source: string): boolean {
  if (repeatsGroup(source) || REFERENCE.test(source)) return false
  const { unlimited, ways } = choicesOf(source, true)
  return unlimited === 0 ? ways <= FEW_LIMITED_WAYS : unlimited === 1 && ways <= FEW_WAYS
}

/** Whether an expression of any size, such as a list of words, has few choices beside its alternatives. */
export function hasFewChoices(source: string): boolean {
  if (repeatsGroup(source)) return false
  const { unlimited, ways } = choicesOf(source, false)
  return unlimited <= 1 && ways <= FEW_LIMITED_WAYS
}

/** The parts of unlimited length, an unknown start among them, and the ways to read the others. */
function choicesOf(source: string, countsAlternatives: boolean): { unlimited: number; ways: number } {
  /** The alternatives of the groups that are open. */
  const open: number[] = []
  let unlimited = source.startsWith('^') ? 0 : 1
  let ways = 1
  for (const [token, min, comma, max] of source.matchAll(TOKEN)) {
    if (token.startsWith('(')) open.push(1)
    else if (token === ')') open.pop()
    else if (token === '|') {
      if (!countsAlternatives) continue
      const alternatives = open.pop()
      if (alternatives === undefined) unlimited += 1
      else {
        ways *= (alternatives + 1) / alternatives
        open.push(alternatives + 1)
      }
    } else if (token === '*' || token === '+' || (comma === ',' && max === '')) unlimited += 1
    else if (token === '?') ways *= 2
    else if (comma === ',') ways *= Number(max) - Number(min) + 1
  }
  return { unlimited, ways }
}
