// A vitest reporter whose last line only has `N passed, N failed`.

/** Matches the line that this reporter prints, the last one if there are several. */
export const SUMMARY = /^(\d+) passed, (\d+) failed$(?![^]*^\d+ passed, \d+ failed$)/m

/** Counts tests; a file that cannot be loaded and an error outside of tests count as failures. */
export default class SummaryReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    let passed = 0
    let failed = unhandledErrors.length
    for (const module of modules) {
      failed += module.errors().length
      for (const suite of module.children.allSuites()) failed += suite.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        if (state === 'failed') failed++
      }
    }
    process.once('exit', () => process.stdout.write(`${passed} passed, ${failed} failed\n`))
  }
}
