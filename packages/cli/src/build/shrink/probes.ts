import type { Spot } from './parts.ts'

/** A spot with its number in the whole bundle. */
export interface NumberedSpot extends Spot {
  readonly id: number
}

/** The functions that a probe, and what is in place of a part that was left out, call. */
export const SEEN = 'seen__'
export const UNSEEN = 'unseen__'

/** Adds to each spot of a text the call of a function that gets its number. */
export function withProbes(text: string, spots: readonly NumberedSpot[]): string {
  const opening = new Map<number, string>()
  const closing = new Map<number, string>()
  // Outer spots come first.
  for (const { id, start, end, kind } of inOrder(spots)) {
    const [from, before, after] =
      kind === 'block'
        ? [start + 1, `${SEEN}(${id});`, '']
        : kind === 'statement'
          ? [start, `{${SEEN}(${id});`, '}']
          : [start, `(${SEEN}(${id}),`, ')']
    opening.set(from, (opening.get(from) ?? '') + before)
    closing.set(end, after + (closing.get(end) ?? ''))
  }
  const positions = [...new Set([...opening.keys(), ...closing.keys()])].toSorted((one, other) => one - other)
  let written = ''
  let last = 0
  for (const position of positions) {
    written += text.slice(last, position) + (closing.get(position) ?? '') + (opening.get(position) ?? '')
    last = position
  }
  return written + text.slice(last)
}

/** Replaces spots of a text by a call that throws. */
export function withoutSpots(text: string, spots: readonly Spot[]): string {
  const forms = { block: `{${UNSEEN}()}`, statement: `${UNSEEN}();`, expression: `${UNSEEN}()` }
  let written = ''
  let last = 0
  for (const { start, end, kind } of inOrder(spots)) {
    // It is within another one.
    if (start < last) continue
    written += text.slice(last, start) + forms[kind]
    last = end
  }
  return written + text.slice(last)
}

function inOrder<One extends Spot>(spots: readonly One[]): One[] {
  return spots.toSorted((one, other) => one.start - other.start || other.end - one.end)
}
