import { defineConfig } from 'vitest/config'

// `npm run test:state`: states in real servers, which must be installed.
export default defineConfig({
  resolve: { conditions: ['@cloister/source'] },
  ssr: { resolve: { conditions: ['@cloister/source', 'node'] } },
  test: {
    root: import.meta.dirname,
    include: ['*.spec.ts'],
    reporters: ['default', '../../scripts/summary-reporter.mjs'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
})
