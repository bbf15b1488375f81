// The suites of one room, as `run.mjs` names them; Stryker loads this in the copy that it mutates.
import { defineConfig } from 'vitest/config'

const tests: unknown = JSON.parse(process.env['CLOISTER_MUTATION_TESTS'] ?? '[]')
const timeout = process.env['CLOISTER_MUTATION_TIMEOUT']

export default defineConfig({
  resolve: { conditions: ['@cloister/source'] },
  ssr: { resolve: { conditions: ['@cloister/source', 'node'] } },
  test: {
    include: Array.isArray(tests) ? tests.map(String) : [],
    env: { CLOISTER_SEED: '20261122' },
    setupFiles: ['scripts/lib/seed-random-tests.ts'],
    // As in the daily run; a mutant is switched on by a variable, so nothing has to be loaded again.
    isolate: false,
    testTimeout: Number(timeout ?? 30_000),
    hookTimeout: Number(timeout ?? 60_000),
  },
})
