import type { Part, Pattern, Repetition } from '../../src/regexp/parse.ts'

/*
 * Matches by backtracking, as ECMAScript describes it, and counts the steps: V8 itself could not be stopped. Sets of
 * characters are left to V8.
 */

/** Thrown when the steps are used up. */
class OutOfSteps extends Error {}

/** A place in the text, and what groups have read. */
interface Place {
  readonly at: number
  readonly groups: readonly (string | undefined)[]
}

type Next = (place: Place) => boolean
type Matcher = (place: Place, next: Next) => boolean

/** Returns the number of steps in which a text is tested; Infinity where these are more than the limit. */
export function stepsOf({ part, flags }: Pattern, text: string, limit: number): number {
  const machine = new Machine(flags, text, limit)
  const matcher = machine.matcherOf(part, 1)
  try {
    for (let at = 0; at <= text.length; at++) if (matcher({ at, groups: [] }, () => true)) break
    return machine.steps
  } catch (error) {
    if (error instanceof OutOfSteps) return Infinity
    throw error
  }
}

class Machine {
  steps = 0
  readonly #flags: string
  readonly #text: string
  readonly #limit: number
  readonly #sets: Map<string, (character: string) => boolean> = new Map()

  constructor(flags: string, text: string, limit: number) {
    this.#flags = flags
    this.#text = text
    this.#limit = limit
  }

  /** @param way - 1 forward, -1 backward */
  matcherOf(part: Part, way: 1 | -1): Matcher {
    const matcher = this.#matcherOf(part, way)
    return (place, next) => {
      this.steps += 1
      if (this.steps > this.#limit) throw new OutOfSteps()
      return matcher(place, next)
    }
  }

  #matcherOf(part: Part, way: 1 | -1): Matcher {
    switch (part.kind) {
      case 'atom':
        return this.#reader(this.#setOf(part.atom.source), way)
      case 'sequence': {
        const inner = part.parts.map((one) => this.matcherOf(one, way))
        if (way === -1) inner.reverse()
        return inner.reduceRight<Matcher>(
          (rest, one) => (place, next) => one(place, (after) => rest(after, next)),
          (place, next) => next(place),
        )
      }
      case 'choice': {
        const inner = part.parts.map((one) => this.matcherOf(one, way))
        return (place, next) => inner.some((one) => one(place, next))
      }
      case 'capture': {
        const inner = this.matcherOf(part.part, way)
        return (place, next) =>
          inner(place, ({ at, groups }) => {
            const after = [...groups]
            after[part.group] = this.#text.slice(Math.min(place.at, at), Math.max(place.at, at))
            return next({ at, groups: after })
          })
      }
      case 'repetition':
        return this.#repeater(part, this.matcherOf(part.part, way))
      case 'assertion':
        return (place, next) => this.#holds(part.assertion, place.at) && next(place)
      case 'look': {
        const inner = this.matcherOf(part.part, part.isAhead ? 1 : -1)
        return (place, next) => {
          let found: Place | undefined
          inner(place, (after) => {
            found = after
            return true
          })
          if (part.isNegative) return found === undefined && next(place)
          return found !== undefined && next({ at: place.at, groups: found.groups })
        }
      }
      case 'backreference':
        return (place, next) => {
          const text = place.groups[part.group] ?? ''
          const at = place.at + way * text.length
          const read = this.#text.slice(Math.min(place.at, at), Math.max(place.at, at))
          return at >= 0 && read === text && next({ ...place, at })
        }
    }
  }

  #reader(isIn: (character: string) => boolean, way: 1 | -1): Matcher {
    return (place, next) => {
      const character = this.#text[way === 1 ? place.at : place.at - 1]
      return character !== undefined && isIn(character) && next({ ...place, at: place.at + way })
    }
  }

  #setOf(source: string): (character: string) => boolean {
    const expression = new RegExp(`^(?:${source})$`, this.#flags.replace('m', ''))
    const known = new Map<string, boolean>()
    return (
      this.#sets.get(source) ??
      ((character) => {
        const is = known.get(character) ?? expression.test(character)
        known.set(character, is)
        return is
      })
    )
  }

  #repeater({ min, max, isLazy, groups: [from, to] }: Repetition, inner: Matcher): Matcher {
    const iterate = (place: Place, next: Next, count: number): boolean => {
      const again = (): boolean => {
        const groups = place.groups.map((group, index) => (index >= from && index < to ? undefined : group))
        return inner({ ...place, groups }, (after) =>
          count >= min && after.at === place.at ? false : iterate(after, next, count + 1),
        )
      }
      if (count < min) return again()
      if (count >= max) return next(place)
      return isLazy ? next(place) || again() : again() || next(place)
    }
    return (place, next) => iterate(place, next, 0)
  }

  #holds(assertion: 'start' | 'end' | 'boundary' | 'inside', at: number): boolean {
    const [before, after] = [this.#text[at - 1], this.#text[at]]
    const isMultiline = this.#flags.includes('m')
    if (assertion === 'start') return before === undefined || (isMultiline && before === '\n')
    if (assertion === 'end') return after === undefined || (isMultiline && after === '\n')
    const isBoundary = /\w/.test(before ?? '') !== /\w/.test(after ?? '')
    return isBoundary === (assertion === 'boundary')
  }
}
