import { allOfCheck, anyOfCheck, ifCheck, notCheck, oneOfCheck } from './combinators.ts'
import { CONSTANT_TESTS } from './constants.ts'
import { dynamicReferenceCheck } from './dynamic-scope.ts'
import type { CheckFactory } from './plan.ts'
import { referenceCheck } from './reference.ts'
import { asCheck } from './scalar-test.ts'
import { finiteCheck } from './types.ts'

/** The keywords about any value, in Ajv's order. */
export const GENERAL_CHECKS: readonly CheckFactory[] = [
  dynamicReferenceCheck,
  referenceCheck,
  ...CONSTANT_TESTS.map(asCheck),
  notCheck,
  anyOfCheck,
  oneOfCheck,
  allOfCheck,
  ifCheck,
  finiteCheck,
]
