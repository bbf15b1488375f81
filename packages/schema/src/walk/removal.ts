import { remember } from '../remember.ts'
/*
 * The treatment of undeclared properties. Ajv removes them from the data while it tries a branch, even if the branch
 * doesn't match. With `unionRemoval: 'branch'` a union first looks for branches that match the value unchanged. If
 * there is none, it tries each branch again, notes what the branch would remove, and removes what no matching branch
 * keeps.
 */

/** Names of properties, by the object that has them. */
export type Removals = Map<object, Set<string>>

/** How undeclared properties are treated: removed at once, an error, or noted. */
export type Treatment = 'remove' | 'refuse' | 'note'

/** A branch of a union: true when it matches. */
type Branch = () => boolean

/** The treatment of undeclared properties at one point of a walk. */
export class Removal {
  treatment: Treatment = 'remove'
  /** An undeclared property was an error since this was last reset. */
  hasRefused: boolean = false
  #noted: Removals = new Map()

  /** Removes a property, or notes it. */
  remove(data: Record<string, unknown>, key: string): void {
    if (this.treatment === 'remove') Reflect.deleteProperty(data, key)
    else note(this.#noted, data, [key])
  }

  /** Tests a condition: an undeclared property is an error in it, and nothing is removed. */
  test(condition: Branch): boolean {
    const { hasRefused } = this
    const holds = this.with('refuse', condition)
    this.hasRefused = hasRefused
    return holds
  }

  /**
   * Tries branches on the unchanged value; if that fails because of an undeclared property, tries them once more. Then
   * removes what all matching branches would remove.
   * @param attempt - tries the branches, each through the function that it gets; returns true if the union matches
   */
  attempt(attempt: (matches: (branch: Branch) => boolean) => boolean): boolean {
    const outer = this.hasRefused
    this.hasRefused = false
    const isMatch = this.with('refuse', () => attempt((branch) => branch()))
    const isFinal = isMatch || !this.hasRefused || this.treatment === 'refuse'
    this.hasRefused = outer || (this.hasRefused && !isMatch)
    if (isFinal) return isMatch
    const matching: Removals[] = []
    const isMatchBehind = attempt((branch) => {
      const { matches, noted } = this.collect(branch)
      if (matches) matching.push(noted)
      return matches
    })
    if (isMatchBehind) this.repeat(common(matching))
    return isMatchBehind
  }

  /** Applies a branch, and returns what it would remove. */
  collect(branch: Branch): { readonly matches: boolean; readonly noted: Removals } {
    const outer = this.#noted
    const noted: Removals = new Map()
    this.#noted = noted
    try {
      return { matches: this.with('note', branch), noted }
    } finally {
      this.#noted = outer
    }
  }

  /** Removes what was noted, or notes it here. */
  repeat(noted: Removals): void {
    for (const [data, names] of noted) {
      if (this.treatment === 'remove') for (const name of names) Reflect.deleteProperty(data, name)
      else note(this.#noted, data, names)
    }
  }

  /** Runs a part of the walk under another treatment. */
  with<Result>(treatment: Treatment, run: () => Result): Result {
    const outer = this.treatment
    this.treatment = treatment
    try {
      return run()
    } finally {
      this.treatment = outer
    }
  }
}

function note(noted: Removals, data: object, names: Iterable<string>): void {
  const known = remember(noted, data, () => new Set())
  for (const name of names) known.add(name)
}

/** The common entries of several lists. */
function common([first = new Map(), ...others]: readonly Removals[]): Removals {
  const shared: Removals = new Map()
  for (const [data, names] of first) {
    const kept = [...names].filter((name) => others.every((noted) => noted.get(data)?.has(name) === true))
    if (kept.length > 0) shared.set(data, new Set(kept))
  }
  return shared
}
