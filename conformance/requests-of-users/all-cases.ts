import { responseCases } from './responses.ts'
import { bodyCases } from './bodies.ts'
import { bootCases } from './boot.ts'
import type { OutcomeCase } from '../outcome-case.ts'
import { validationCases } from './validation.ts'

/** Every case, in the order of the table. */
export const allCases: readonly OutcomeCase[] = [
  ...bodyCases,
  ...validationCases,
  ...responseCases,
  ...bootCases,
].sort((a, b) => a.number.localeCompare(b.number, 'en', { numeric: true }))
