import { Automaton, MAX_WORDS } from './automaton.ts'
import { Search } from './captures.ts'
import type { Expression } from './compile.ts'
import { parsePattern, Unsupported, type Pattern } from './parse.ts'
import { Alphabet } from './alphabet.ts'
import { LINE_END, WORD } from './places.ts'
import { programsOf, type Demand } from './program.ts'
import { simplifyForTest } from './simplify.ts'

/** The reason why an automaton cannot run an expression: what it has; undefined when it can. */
export function obstacleTo(source: string, flags: string): string | undefined {
  const linear = linearOf({ source, flags })
  return typeof linear === 'string' ? linear : undefined
}

/**
 * Compiles an expression for automata; a text is the reason why they cannot run it.
 * @param maxWords - the memory for states; without any a text takes ten times as long
 */
export function linearOf(
  { source, flags }: Pick<RegExp, 'source' | 'flags'>,
  maxWords: number = MAX_WORDS,
): Expression | string {
  const other = /[^imsu]/.exec(flags)
  if (other !== null) return `the flag ${other[0]}`
  return orReason(() => new LinearExpression(source, parsePattern(source, flags), maxWords))
}

/** An expression that automata run, in time in proportion to the length of the text. */
class LinearExpression implements Expression {
  readonly source: string
  readonly flags: string
  readonly #pattern: Pattern
  /** what tests run; `exec` reads the groups by the expression itself */
  readonly #tested: Pattern
  readonly #demands: readonly Demand[]
  readonly #maxWords: number
  #automata: readonly Automaton[] | undefined
  #search: Searches | string | undefined

  constructor(source: string, pattern: Pattern, maxWords: number) {
    this.source = source
    this.flags = pattern.flags
    this.#pattern = pattern
    this.#tested = simplifyForTest(pattern)
    this.#demands = programsOf(this.#tested)
    this.#maxWords = maxWords
  }

  test(text: string): boolean {
    const automata = (this.#automata ??= this.#makeAutomata())
    for (let index = 0; index < automata.length; index++)
      if (automata[index]?.test(text) === this.#demands[index]?.isNegative) return false
    return true
  }

  exec(text: string): readonly (string | undefined)[] | null {
    if (!this.test(text)) return null
    if (isWhole(this.#pattern)) return [text, text]
    const search = (this.#search ??= searchOf(this.#pattern))
    // What is too large for a search is a text that matches, so V8 needs not try all ways.
    if (typeof search === 'string') return new RegExp(this.source, this.flags).exec(text)
    const found: (string | undefined)[] = []
    for (const { program, isNegative } of search.demands) {
      if (isNegative) continue
      new Search(program, search.alphabet, text).groups().forEach((group, index) => (found[index] ??= group))
    }
    return found
  }

  toString(): string {
    return `/${this.source}/${this.flags}`
  }

  /** Makes what runs the programs, for the first text. */
  #makeAutomata(): Automaton[] {
    const alphabet = alphabetOf(this.#tested)
    return this.#demands.map(({ program }) => new Automaton(program, alphabet, this.#maxWords))
  }
}

/** What a search for groups needs: the programs of the expression as it is written. */
interface Searches {
  readonly demands: readonly Demand[]
  readonly alphabet: Alphabet
}

/** @returns a text, the reason, if the expression is too large */
function searchOf(pattern: Pattern): Searches | string {
  return orReason(() => ({ demands: programsOf(pattern), alphabet: alphabetOf(pattern) }))
}

function alphabetOf({ atoms, flags, asksForWords }: Pattern): Alphabet {
  const sides = [...(asksForWords ? [WORD] : []), ...(flags.includes('m') ? [LINE_END] : [])]
  return new Alphabet([...atoms, ...sides], flags, true)
}

/** Runs a function; returns the reason where it finds what automata cannot run. */
function orReason<T>(run: () => T): T | string {
  try {
    return run()
  } catch (error) {
    if (error instanceof Unsupported) return error.message
    throw error
  }
}

/** Whether the only group holds the whole text, as in `^(…)$`. */
function isWhole({ part, groups, flags }: Pattern): boolean {
  const kinds = part.kind === 'sequence' ? part.parts : []
  const names = kinds.map((next) => (next.kind === 'assertion' ? next.assertion : next.kind))
  return groups === 1 && !flags.includes('m') && names.join(' ') === 'start capture end'
}
