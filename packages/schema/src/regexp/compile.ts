import { analyse, longestCheapText, MAX_STEPS } from './cost.ts'
import { linearOf } from './linear.ts'

/** A compiled regular expression, without state. Each `RegExp` without the flags `g` and `y` is one. */
export interface Expression {
  /** the text of the expression */
  readonly source: string
  /** as of `RegExp` */
  readonly flags: string
  /** Whether the expression matches somewhere in a text. */
  test(text: string): boolean
  /** The first match and what its groups match, in the order of `RegExp`. */
  exec(text: string): readonly (string | undefined)[] | null
}

/** The length of a text for which no limit is known: a body of 1 MiB. */
export const MAX_TEXT_LENGTH = 1_048_576

/** The limit of the steps of a test where texts are short, so that many can come: 0.1 ms. */
const FEW_STEPS = 1e5

/**
 * Compiles a regular expression so that no text blocks the process: V8 runs it where that takes linear time, else an
 * automaton does. V8 also runs what the automaton cannot, see `obstacleTo`.
 * @param longest - the length of the longest text
 * @throws SyntaxError
 */
export function compileExpression(
  source: string,
  flags: string = '',
  longest: number = MAX_TEXT_LENGTH,
): Expression {
  const native = new RegExp(source, flags)
  const { cost, isCertain } = analyse(source, flags)
  const steps = longest < MAX_TEXT_LENGTH ? FEW_STEPS : MAX_STEPS
  if (isCertain && longestCheapText(cost, steps) >= longest) return native
  const linear = linearOf(native)
  return typeof linear === 'string' ? native : linear
}
