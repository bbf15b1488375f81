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
  'packages/schema/test/dependencies.test.ts',
  'packages/schema/test/validator/depth.test.ts',
  'packages/schema/test/printed/*.test.ts',
]

/** Tests that measure how CPU time grows with a value: minutes of CPU, in `npm run check:all`. */
const GROWTH = [
  'conformance/errors/accept-growth.test.ts',
  'conformance/fuzz/blocks.test.ts',
  'conformance/schemas/pattern-growth.test.ts',
  'packages/cloister/test/body/forms/part-head-growth.test.ts',
  'packages/schema/test/expensive/*.test.ts',
  'packages/schema/test/regexp/growth.test.ts',
]

/** Tests that draw many values, start processes or wait for deadlines: `npm run check` runs them, `npm test` does not. */
const LONG = [
  'conformance/bodies/small-pieces.test.ts',
  'conformance/draft7/draft7.test.ts',
  'conformance/errors/throws/*.test.ts',
  'conformance/fuzz/!(blocks).test.ts',
  'conformance/inspect/explain-hooks.test.ts',
  'conformance/listen/endings.test.ts',
  'conformance/listen/http2-*.test.ts',
  'conformance/listen/leaks.test.ts',
  'conformance/listen/server-members.test.ts',
  'conformance/listen/tls.test.ts',
  'conformance/openapi/*.test.ts',
  'conformance/operate/{metrics,several-apps,shedding}.test.ts',
  'conformance/responses/regressions/{fields,framing,ownership}.test.ts',
  'conformance/responses/unread-output.test.ts',
  'conformance/routing/{differential,proxies}.test.ts',
  'conformance/sequences/*.test.ts',
  'conformance/standard-schema/coerced-values.test.ts',
  'conformance/validation/tiers.test.ts',
  'conformance/web/{browser,cache}-model.test.ts',
  'conformance/whole-apps/*.test.ts',
  'conformance/wire/reference/*.test.ts',
  'conformance/wire/{agreement,as-written,byte-by-byte,cut-at-random,variants}.test.ts',
  'packages/cli/test/{app-file,build,cli,code-cache,start}.test.ts',
  'packages/migrate/test/{from-express,prove}.test.ts',
  'packages/openapi/test/contract.test.ts',
  'packages/schema/test/check.test.ts',
  'packages/schema/test/regexp/{agreement,explosions}.test.ts',
  'packages/schema/test/sealed/*.test.ts',
  'packages/schema/test/serializer/{back-ends,branches-of-texts,peer,projection,whole}.test.ts',
  'packages/schema/test/validator/ajv/error-order.test.ts',
  'packages/schema/test/validator/{ajv-agrees,differential,later,many-properties}.test.ts',
  'packages/schema/test/walk/{bounded-errors,differential}.test.ts',
  'packages/state/test/simulation/long.test.ts',
  'packages/wire/test/connection/faults.test.ts',
  'scripts/test/kept-connections.test.ts',
]

/**
 * Suites that `npm test` runs in part, and `npm run check` whole: over the quick transports first, and over the others
 * with the long tests. `conformance/harness/share.ts` divides them.
 */
const SPLIT = [
  'conformance/never-unvalidated/table.test.ts',
  'conformance/schemas/!(pattern-growth|shown).test.ts',
  'conformance/serialization/*.test.ts',
  'conformance/standard-schema/{requests,responses,run-time,standard-schema}.test.ts',
  'conformance/strict/*.test.ts',
  'conformance/validation/!(nesting|tiers).test.ts',
]
const quick = { CLOISTER_SHARE: 'quick' }
const rest = { CLOISTER_SHARE: 'rest' }

/** Runs the compiler over a copy of the sources for each loosened type: minutes of CPU. */
const TYPE_MUTATIONS = ['packages/cloister/test/types/mutations.test.ts']
const TYPES = ['packages/cloister/test/types/*.test.ts']

/** Random tests repeat the same values in every daily run; `npm run test:random` draws new ones. */
const seed = process.env['CLOISTER_SEED'] ?? '20261122'

const common = {
  env: { CLOISTER_SEED: seed },
  // Tests that measure CPU time measure that of their process: threads would count in each other's.
  pool: 'forks' as const,
  setupFiles: ['scripts/lib/seed-random-tests.ts', 'scripts/lib/poison-read-buffer.ts'],
  // Only a test that hangs meets these limits: the slowest takes less than a tenth of them on a busy machine.
  testTimeout: 300_000,
  hookTimeout: 300_000,
}
/** The sources have no module-level state, so test files share one loaded copy of them. */
const shared = { isolate: false }
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
          ...shared,
          env: { ...common.env, ...quick },
          name: 'behaviour',
          include: [
            'packages/*/test/**/*.test.ts',
            'conformance/**/*.test.ts',
            'examples/*/test/**/*.test.ts',
            'scripts/test/**/*.test.ts',
          ],
          exclude: [
            '**/node_modules/**',
            'conformance/*/fixtures/**',
            ...ISOLATED,
            ...LONG,
            ...GROWTH,
            ...TYPES,
          ],
        },
      },
      { plugins, resolve, ssr, test: { ...common, name: 'isolated', include: ISOLATED } },
      {
        plugins,
        resolve,
        ssr,
        test: {
          ...common,
          ...shared,
          env: { ...common.env, ...rest },
          name: 'long',
          include: [...LONG, ...SPLIT],
        },
      },
      { plugins, resolve, ssr, test: { ...common, ...shared, name: 'growth', include: GROWTH } },
      { resolve, ssr, test: { ...common, name: 'types', include: TYPES, exclude: TYPE_MUTATIONS } },
      { resolve, ssr, test: { ...common, name: 'type-mutations', include: TYPE_MUTATIONS } },
    ],
  },
})
