// Everything that code can throw.
import { ODD_ERRORS } from './odd-errors.ts'
import { PLAIN_VALUES } from './plain-values.ts'

/** Odd values by name. */
export const ODD_VALUES: Readonly<Record<string, () => unknown>> = { ...PLAIN_VALUES, ...ODD_ERRORS }

/** Makes an odd value. */
export function makeOdd(name: string): unknown {
  const make = ODD_VALUES[name]
  if (make === undefined) throw new Error(`assertion: there is no odd value '${name}'`)
  return make()
}
