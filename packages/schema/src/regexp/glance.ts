/*
 * A check of most expressions without parsing them: they are anchored and have at most one part of unlimited length,
 * so that each text can be read in few ways.
 */

const REPEATED_GROUP = /\)[*+{]/
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
  if (repeatsGroup(source)) return false
  /** The alternatives of the groups that are open. */
  const open: number[] = []
  let unlimited = source.startsWith('^') ? 0 : 1
  let ways = 1
  for (const [token, min, comma, max] of source.matchAll(TOKEN)) {
    if (token.startsWith('(')) open.push(1)
    else if (token === ')') open.pop()
    else if (token === '|') {
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
  return unlimited === 0 ? ways <= FEW_LIMITED_WAYS : unlimited === 1 && ways <= FEW_WAYS
}
