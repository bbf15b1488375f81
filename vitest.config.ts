import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['@cloister/source'] },
  ssr: { resolve: { conditions: ['@cloister/source', 'node'] } },
  test: {
    include: [
      'packages/*/test/**/*.test.ts',
      'conformance/**/*.test.ts',
      'examples/*/test/**/*.test.ts',
      'scripts/test/**/*.test.ts',
    ],
    reporters: ['default', './scripts/summary-reporter.mjs'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    passWithNoTests: true,
  },
})
