import { ceilInteger, floorInteger, roundInteger, truncInteger } from '../../runtime/scalars.ts'
import type { Rounding } from '../ir.ts'

const INTEGERS: Readonly<Record<Rounding, typeof truncInteger>> = {
  trunc: truncInteger,
  floor: floorInteger,
  ceil: ceilInteger,
  round: roundInteger,
}

/** The conversion of a value that is no integer, in the compat mode. */
export function integerConverter(rounding: Rounding): typeof truncInteger {
  return INTEGERS[rounding]
}
