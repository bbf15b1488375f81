import { isRecord } from '../guards.ts'
import { checkOptions as check } from '../options/check-options.ts'
import { needNegotiation } from './needs/negotiation.ts'
import { needProblems } from './needs/problems.ts'

/** Refuses an app whose options need what the bundle does not have, while it starts. */
export const checkOptions: typeof check = (given) => {
  const options = check(given)
  const { contentNegotiation, problemDetails, validationMessages } = options
  if (problemDetails !== false) needProblems()
  if (contentNegotiation || problemDetails === 'accepted' || isRecord(validationMessages)) needNegotiation()
  return options
}
