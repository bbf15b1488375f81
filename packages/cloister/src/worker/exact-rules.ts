import { exactRules as rulesOf } from '../body/exact/exact-rules.ts'
import { needExact } from './needs/exact.ts'

/** Refuses an app whose options need exact input while it starts, if the bundle does not read it. */
export const exactRules: typeof rulesOf = (options) => {
  const rules = rulesOf(options)
  if (rules !== null) needExact()
  return rules
}
