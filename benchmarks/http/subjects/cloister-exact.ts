import type { Subject } from '../subject.ts'
import { createSubject } from './cloister.ts'

/** Cloister on its own engine with the options for exact input, for a comparison with `cloister-wire`. */
export const subject: Subject = createSubject({
  transport: 'auto',
  integers: 'exact',
  bodyText: 'utf-8',
  duplicateNames: 'refuse',
})
