import type { Subject } from '../subject.ts'
import { createSubject } from './cloister.ts'

/** Cloister with `strict: true`. */
export const subject: Subject = createSubject({ transport: 'node', strict: true })
