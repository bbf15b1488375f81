import { DEFERRED, FITS, REJECTED, type Check, type Step } from './verdict.ts'

/*
 * Checks of the same value. None of them replaces it: where sub-schemas share a value they only look at it, so the
 * place that they would note for a replacement is never read.
 */

/** A check of the value itself. */
export function sameValue(check: Check): Step {
  return (value, log) => check(value, log, undefined, '')
}

/** The test that a check fails. */
export function notStep(check: Step): Step {
  return (value, log) => {
    const verdict = check(value, log)
    return verdict === DEFERRED ? DEFERRED : verdict === FITS ? REJECTED : FITS
  }
}

/** The test that one of several checks passes. */
export function anyOfStep(checks: readonly Step[]): Step {
  return (value, log) => {
    for (const check of checks) {
      const verdict = check(value, log)
      if (verdict !== REJECTED) return verdict
    }
    return REJECTED
  }
}

/** The test that exactly one of several checks passes. */
export function oneOfStep(checks: readonly Step[]): Step {
  return (value, log) => {
    let count = 0
    for (const check of checks) {
      const verdict = check(value, log)
      if (verdict === DEFERRED) return DEFERRED
      count += verdict
      if (count > 1) return REJECTED
    }
    return count === 1 ? FITS : REJECTED
  }
}

/** One of two checks, by whether another passes. */
export function conditionStep(test: Step, then: Step | undefined, otherwise: Step | undefined): Step {
  return (value, log) => {
    const verdict = test(value, log)
    if (verdict === DEFERRED) return DEFERRED
    const next = verdict === FITS ? then : otherwise
    return next === undefined ? FITS : next(value, log)
  }
}
