import type { narrowUnionErrors as replaced } from '../validator/union-errors.ts'
import { UNIONS } from '../walk/flatten.ts'
import { narrowErrors } from './originals/unions.ts'

/** See `validator/union-errors.ts`, which is only needed where there are unions. */
export const narrowUnionErrors: typeof replaced = (errors, data, context) =>
  errors.some(({ keyword }) => UNIONS.has(keyword)) ? narrowErrors(errors, data, context) : [...errors]
