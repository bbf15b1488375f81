// The targets of `npm run fuzz:guided`, and what its thread needs beside them.
import { connections } from './connections.ts'
import { chunks, heads } from './messages.ts'
import { responses } from './responses.ts'
import type { Target } from './target.ts'

export { Random } from '../../../packages/schema/test/validator/random.ts'
export { mutate } from './mutate.ts'

/** All of them, the quickest first. */
export const TARGETS: readonly Target[] = [heads, chunks, connections, responses]
