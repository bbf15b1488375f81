import { defineConfig } from 'vitest/config'
import { codeGenerationPlugin } from './scripts/lib/code-generation-plugin.ts'

/**
 * Tests that count loaded modules, replace one, listen to the errors of their process, or take all of the stack or the
 * file descriptors need a process of their own.
 */
const ISOLATED = [
  'conformance/listen/descriptors.test.ts',
  'conformance/responses/invariants.test.ts',
  'conformance/validation/nesting.test.ts',
  'examples/migrating/test/cloister.test.ts',
  'packages/bearer-auth/test/key-matcher.test.ts',
  'packages/schema/test/dependencies.test.ts',
  'packages/schema/test/validator/depth.test.ts',
  'packages/schema/test/printed/*.test.ts',
]

/** Tests that run the compiler many times: minutes of CPU. */
const TYPES = ['packages/cloister/test/types/*.test.ts']

/** Random tests repeat the same values in every daily run; `npm run test:random` draws new ones. */
const seed = process.env['CLOISTER_SEED'] ?? '20261122'

const common = {
  env: { CLOISTER_SEED: seed },
  setupFiles: ['scripts/lib/seed-random-tests.ts', 'scripts/lib/poison-read-buffer.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
}
/** Set CLOISTER_CODE_GENERATION to `never` or `always` to run the tests with closures, or with generated code, alone. */
const plugins = codeGenerationPlugin(process.env['CLOISTER_CODE_GENERATION'])
const resolve = { conditions: ['@cloister/source'] }
const ssr = { resolve: { conditions: ['@cloister/source', 'node'] } }

export default defineConfig({
  test: {
    reporters: ['default', './scripts/summary-reporter.mjs'],
    passWithNoTests: true,
    maxWorkers: '100%',
    projects: [
      {
        plugins,
        resolve,
        ssr,
        test: {
          ...common,
          name: 'behaviour',
          include: [
            'packages/*/test/**/*.test.ts',
            'conformance/**/*.test.ts',
            'examples/*/test/**/*.test.ts',
            'scripts/test/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', 'conformance/*/fixtures/**', ...ISOLATED, ...TYPES],
          // The sources have no module-level state, so test files share one loaded copy of them.
          pool: 'threads',
          isolate: false,
        },
      },
      { plugins, resolve, ssr, test: { ...common, name: 'isolated', include: ISOLATED, pool: 'forks' } },
      { resolve, ssr, test: { ...common, name: 'types', include: TYPES, pool: 'forks' } },
    ],
  },
})
