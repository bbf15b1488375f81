import { defineConfig } from 'vitest/config'

// The integrations load the subject as their users do: built, through its `default` export condition.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['test/**/*.spec.ts'],
    globalSetup: ['./link-subject.ts'],
    // Loading a framework takes seconds on a busy machine.
    testTimeout: 60_000,
    reporters: ['default', '../../scripts/summary-reporter.mjs'],
  },
})
