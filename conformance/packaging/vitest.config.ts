import { defineConfig } from 'vitest/config'

// Projects of users, made outside of the repository out of the packages as they are published.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.spec.ts'],
    globalSetup: ['./lib/pack.ts'],
    reporters: ['default', '../../scripts/summary-reporter.mjs'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
})
