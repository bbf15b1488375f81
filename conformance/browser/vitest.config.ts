import { defineConfig } from 'vitest/config'

// Tests in a real browser, against the built packages.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.spec.ts'],
    reporters: ['default', '../../scripts/summary-reporter.mjs'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
