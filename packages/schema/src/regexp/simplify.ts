import type { Atom, Part, Pattern } from './parse.ts'

/*
 * An expression that matches in the same texts, with fewer positions. Only whether it matches stays the same, not where
 * and what its groups have.
 *
 * - Groups are left out, and a choice between single characters is one set: `(a|b)` is `[ab]`.
 * - A match may begin and end anywhere, so repetitions at either end are as short as possible: `x{2,5000}y` matches in
 *   the texts in which `x{2}y` does.
 */

/** Returns a simpler expression for tests. */
export function simplifyForTest(pattern: Pattern): Pattern {
  const atoms: Atom[] = [...pattern.atoms]
  return { ...pattern, part: trim(trim(simplify(pattern.part, atoms), 0), -1), atoms }
}

function simplify(part: Part, atoms: Atom[]): Part {
  switch (part.kind) {
    case 'capture':
      return simplify(part.part, atoms)
    case 'repetition':
    case 'look':
      return { ...part, part: simplify(part.part, atoms) }
    case 'sequence':
      return { kind: 'sequence', parts: part.parts.map((one) => simplify(one, atoms)) }
    case 'choice':
      return merge(
        part.parts.map((one) => unwrap(simplify(one, atoms))),
        atoms,
      )
    default:
      return part
  }
}

/** Returns the only part of a sequence instead of the sequence. */
function unwrap(part: Part): Part {
  const [only, ...others] = part.kind === 'sequence' ? part.parts : []
  return only !== undefined && others.length === 0 ? only : part
}

/** A choice between single characters is one set. */
function merge(parts: readonly Part[], atoms: Atom[]): Part {
  const sets = parts.flatMap((one) => (one.kind === 'atom' ? [one.atom] : []))
  if (sets.length < parts.length) return { kind: 'choice', parts }
  const atom: Atom = {
    source: `(?:${sets.map(({ source }) => source).join('|')})`,
    bounds: sets.flatMap(({ bounds }) => bounds),
    hasProperty: sets.some(({ hasProperty }) => hasProperty),
  }
  atoms.push(atom)
  return { kind: 'atom', atom }
}

/**
 * Shortens the repetitions at one end of an expression.
 *
 * @param end - the index of the end: the first part, or the last
 */
function trim(part: Part, end: 0 | -1): Part {
  if (part.kind === 'choice') return { kind: 'choice', parts: part.parts.map((one) => trim(one, end)) }
  if (part.kind === 'repetition') return part.min > 0 ? { ...part, max: part.min } : NOTHING
  if (part.kind !== 'sequence') return part
  const parts = [...part.parts]
  for (let at = parts.at(end); at !== undefined; at = parts.at(end)) {
    const trimmed = trim(at, end)
    parts.splice(end, 1, ...(trimmed === NOTHING ? [] : [trimmed]))
    if (trimmed !== NOTHING) break
  }
  return { kind: 'sequence', parts }
}

const NOTHING: Part = { kind: 'sequence', parts: [] }
