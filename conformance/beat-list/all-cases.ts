import { answerCases } from './answers.ts'
import { bodyCases } from './bodies.ts'
import { bootCases } from './boot.ts'
import type { BeatCase } from './case.ts'
import { validationCases } from './validation.ts'

/** Every case, in the order of the table. */
export const allCases: readonly BeatCase[] = [
  ...bodyCases,
  ...validationCases,
  ...answerCases,
  ...bootCases,
].sort((a, b) => a.number.localeCompare(b.number, 'en', { numeric: true }))
