import { defineConfig } from 'vitest/config'

// The official suite for 2020-12, in a checkout that CLOISTER_SCHEMA_SUITE names.
export default defineConfig({
  ssr: { resolve: { conditions: ['@cloister/source'] } },
  test: {
    root: import.meta.dirname,
    include: ['*.spec.ts'],
    reporters: ['default', '../../scripts/summary-reporter.mjs'],
    testTimeout: 300_000,
  },
})
