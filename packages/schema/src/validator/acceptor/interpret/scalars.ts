import { codePointLength } from '../../../runtime/length.ts'
import { isMultipleOf } from '../../../runtime/measures.ts'
import type { FormatTest, NumberTest, Scalar, StringTest } from '../ir.ts'
import { DEFERRED, FITS, REJECTED, type Interpreter, type Step, type Tests } from './verdict.ts'

/** Up to this number of literals are compared one by one. */
const FEW_LITERALS = 8

/** The tests of a number. */
export function numberSteps(interpreter: Interpreter, tests: Tests): Step<number>[] {
  return tests.flatMap((test): Step<number>[] => {
    if (test.kind === 'number') return numberLimits(test)
    return test.kind === 'format' ? [formatStep(test)] : interpreter.steps(test)
  })
}

/** The tests of a string. */
export function stringSteps(interpreter: Interpreter, tests: Tests): Step<string>[] {
  return tests.flatMap((test): Step<string>[] => {
    if (test.kind === 'string') return stringLimits(test)
    return test.kind === 'format' ? [formatStep(test)] : interpreter.steps(test)
  })
}

function numberLimits(test: NumberTest): Step<number>[] {
  const { maximum, minimum, exclusiveMaximum: below, exclusiveMinimum: above, multipleOf: factor } = test
  const steps: Step<number>[] = []
  if (test.defersInfinity) steps.push((value) => (Number.isFinite(value) ? FITS : DEFERRED))
  if (maximum !== undefined && minimum !== undefined) {
    steps.push((value) => (value <= maximum && value >= minimum ? FITS : REJECTED))
  } else if (maximum !== undefined) steps.push((value) => (value <= maximum ? FITS : REJECTED))
  else if (minimum !== undefined) steps.push((value) => (value >= minimum ? FITS : REJECTED))
  if (below !== undefined) steps.push((value) => (value < below ? FITS : REJECTED))
  if (above !== undefined) steps.push((value) => (value > above ? FITS : REJECTED))
  if (factor !== undefined) steps.push((value) => (isMultipleOf(value, factor) ? FITS : REJECTED))
  return steps
}

function stringLimits({ maxLength, minLength, pattern }: StringTest): Step<string>[] {
  const steps: Step<string>[] = []
  if (maxLength !== undefined || minLength !== undefined) {
    const most = maxLength ?? Infinity
    const least = minLength ?? 0
    steps.push((value) => {
      // A code point has one or two code units.
      const { length } = value
      if (length > most && (length > most * 2 || codePointLength(value) > most)) return REJECTED
      return length < least * 2 && (length < least || codePointLength(value) < least) ? REJECTED : FITS
    })
  }
  if (pattern !== undefined) steps.push((value) => (pattern.test(value) ? FITS : REJECTED))
  return steps
}

function formatStep({ checker }: FormatTest): Step<string | number> {
  const test: unknown = checker.value
  if (test instanceof RegExp) return (value) => (test.test(String(value)) ? FITS : REJECTED)
  if (!isPredicate(test)) throw new TypeError('a format has no test')
  return (value) => (test(value) ? FITS : REJECTED)
}

function isPredicate(test: unknown): test is (value: unknown) => boolean {
  return typeof test === 'function'
}

/** The test that a value is one of the literals. */
export function literalsStep(values: readonly Scalar[]): Step {
  const [only] = values
  if (values.length === 1) return (value) => (value === only ? FITS : REJECTED)
  if (values.length > FEW_LITERALS) {
    const set = new Set<unknown>(values)
    return (value) => (set.has(value) ? FITS : REJECTED)
  }
  return (value) => {
    for (const literal of values) if (literal === value) return FITS
    return REJECTED
  }
}
