import type { Subject } from '../subject.ts'
import { createSubject } from './cloister.ts'

/** Cloister with `@cloister/wire` in the place of `node:http`. */
export const subject: Subject = createSubject({ transport: 'auto' })
