import { allOfCheck, anyOfCheck, ifCheck, notCheck, oneOfCheck } from './combinators.ts'
import { constCheck, enumCheck } from './constants.ts'
import type { CheckFactory } from './plan.ts'
import { referenceCheck } from './reference.ts'
import { finiteCheck } from './types.ts'

/** The keywords about any value, in Ajv's order. */
export const GENERAL_CHECKS: readonly CheckFactory[] = [
  referenceCheck,
  constCheck,
  enumCheck,
  notCheck,
  anyOfCheck,
  oneOfCheck,
  allOfCheck,
  ifCheck,
  finiteCheck,
]
