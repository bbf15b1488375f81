import { vi } from 'vitest'

import { describeApp } from './behaviour.ts'

// The app as it was before it moved: its one changed import leads to Fastify again.
vi.mock('cloister', () => import('fastify5'))

describeApp('Fastify 5')
