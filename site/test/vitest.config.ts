import { defineConfig } from 'vitest/config'

// The built site in a real browser.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.spec.ts'],
    reporters: ['default', '../../scripts/summary-reporter.mjs'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
