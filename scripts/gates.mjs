// Every gate and suite of the project, in the order in which they run: cheap ones first. `npm test` runs the rows of
// the tier `test`, `npm run check` those of `test` and `check`, `npm run check:all` all rows.
import { availableParallelism } from 'node:os'

/**
 * @typedef {'test' | 'check' | 'all'} Tier
 *
 * @typedef {object} Gate
 * @property {string} name what the gate checks, in one word
 * @property {Tier} tier the smallest tier that runs it
 * @property {readonly string[]} command program and arguments; run in the folder that is checked
 * @property {readonly string[]} [needs] command that must run before
 * @property {string} fix what to do when it fails
 * @property {boolean} hasFault whether `scripts/gate-faults` has a planted fault for it
 * @property {boolean} [counts] whether its last line is `N passed, N failed`
 */

const node = process.execPath
const build = [node, 'scripts/build.mjs']

/** @param {string} script @returns {string[]} */
const npmRun = (script) => ['npm', 'run', '--silent', script]

/** @param {number} perCore @returns {string[]} */
const workers = (perCore) => ['--maxWorkers', String(perCore * availableParallelism())]

/** @type {readonly Gate[]} */
export const gates = [
  {
    name: 'format',
    tier: 'check',
    command: ['oxfmt', '--check'],
    fix: 'npm run format',
    hasFault: true,
  },
  {
    name: 'types',
    tier: 'test',
    command: ['tsc', '-b'],
    fix: 'correct the types; `npx tsc -b` shows them alone',
    hasFault: true,
  },
  {
    name: 'lint',
    tier: 'test',
    command: ['oxlint'],
    fix: 'npx oxlint --fix, or correct by hand',
    hasFault: true,
  },
  {
    name: 'silenced',
    tier: 'check',
    command: [node, 'scripts/silenced.mjs'],
    fix: 'say why: `// oxlint-disable-next-line rule -- reason`',
    hasFault: true,
  },
  {
    name: 'layers',
    tier: 'test',
    command: [node, 'scripts/layers.mjs'],
    fix: 'import from a lower layer or room; the table is scripts/layers.json',
    hasFault: true,
  },
  {
    name: 'sizes',
    tier: 'check',
    command: [node, 'scripts/sizes.mjs'],
    fix: 'add the figures of a new package to scripts/sizes.json: `node scripts/sizes.mjs --write`',
    hasFault: true,
  },
  {
    name: 'workers',
    tier: 'check',
    needs: build,
    command: [node, 'scripts/worker-sizes.mjs'],
    fix: 'leave out of workers what few apps use (scripts/lib/worker-features.mjs), or store the figures: `node scripts/worker-sizes.mjs --write`',
    hasFault: false,
  },
  { name: 'unused', tier: 'check', command: ['knip'], fix: 'remove what nothing uses', hasFault: true },
  {
    name: 'dependencies',
    tier: 'check',
    command: [node, 'scripts/dependencies.mjs'],
    fix: 'give each dependency its line and reason in docs/dependencies.md',
    hasFault: true,
  },
  {
    name: 'generated',
    tier: 'check',
    command: [node, 'scripts/generated.mjs', '--check'],
    needs: build,
    fix: 'npm run docs:errors, npm run docs:options',
    hasFault: true,
  },
  {
    name: 'docs',
    tier: 'check',
    command: [node, 'scripts/doc-examples.mjs'],
    needs: build,
    fix: 'correct the example, or mark a block that cannot run alone with ```ts fragment',
    hasFault: true,
  },
  {
    name: 'internal',
    tier: 'check',
    command: [node, 'scripts/internal.mjs'],
    needs: build,
    fix: 'use what the package exports for everyone, or export it there with a doc comment',
    hasFault: true,
  },
  {
    name: 'tests',
    tier: 'test',
    command: ['vitest', 'run', '--project', 'behaviour'],
    fix: 'npx vitest run <file>',
    hasFault: true,
    counts: true,
  },
  {
    // Random values, deadlines, processes. They wait as long as they compute: two processes per core.
    name: 'long-tests',
    tier: 'check',
    command: ['vitest', 'run', '--project', 'long', '--project', 'isolated', ...workers(2)],
    fix: 'npx vitest run <file>',
    hasFault: false,
    counts: true,
  },
  {
    // Node's streams and sockets differ between its lines.
    name: 'other-nodes',
    tier: 'check',
    needs: ['npm', 'ci', '--no-audit', '--no-fund', '--prefix', 'conformance/other-nodes'],
    command: [node, 'scripts/other-nodes.mjs'],
    fix: 'npm run test:nodes -- 24 26 <folder>',
    hasFault: false,
    counts: true,
  },
  {
    name: 'type-cost',
    tier: 'check',
    command: ['vitest', 'run', '--project', 'types'],
    fix: 'npx vitest run --project types; CLOISTER_WRITE=1 before it writes the page of messages, if the new ones help',
    hasFault: false,
    counts: true,
  },
  {
    name: 'growth',
    tier: 'all',
    command: ['vitest', 'run', '--project', 'growth'],
    fix: 'npx vitest run --project growth <file>',
    hasFault: false,
    counts: true,
  },
  {
    // Runs the compiler once for each type that is loosened.
    name: 'type-mutations',
    tier: 'all',
    command: ['vitest', 'run', '--project', 'type-mutations'],
    fix: 'npx vitest run --project type-mutations',
    hasFault: false,
    counts: true,
  },
  {
    name: 'gate-faults',
    tier: 'all',
    command: [node, 'scripts/gate-faults/try-gates.mjs'],
    fix: 'a gate does not see the fault that it exists for; mend the gate',
    hasFault: false,
  },
  {
    // New seeds for every random test; the daily run has fixed ones.
    name: 'random',
    tier: 'all',
    command: [node, 'scripts/random-tests.mjs'],
    fix: 'repeat it with the printed CLOISTER_SEED',
    hasFault: false,
    counts: true,
  },
  {
    // The engine at full size, and once more over TLS.
    name: 'engine',
    tier: 'all',
    command: [node, 'scripts/engine-tests.mjs'],
    fix: 'npm run test:engine',
    hasFault: false,
    counts: true,
  },
  {
    // Every place where an application can fail, in every way, with every value; the daily run has a sample.
    name: 'throws',
    tier: 'all',
    command: npmRun('test:throws'),
    fix: 'npm run test:throws',
    hasFault: false,
    counts: true,
  },
  {
    // Random connections with new seeds, for minutes; the daily run has a few hundred.
    name: 'responses',
    tier: 'all',
    command: [node, 'scripts/response-tests.mjs'],
    fix: 'repeat it with the printed CLOISTER_SEED; CLOISTER_RESPONSES_ONLY plays one case',
    hasFault: false,
    counts: true,
  },
  {
    // A million random requests with a new seed; the daily run has ten thousand.
    name: 'exact',
    tier: 'all',
    command: [node, 'scripts/exact-tests.mjs'],
    fix: 'repeat it with the printed CLOISTER_SEED',
    hasFault: false,
    counts: true,
  },
  {
    // Runs every test again where code generation from strings is forbidden; its list of exceptions only shrinks.
    name: 'without-code',
    tier: 'all',
    command: [node, 'scripts/without-code.mjs'],
    fix: 'npm run test:without-code -- <file>',
    hasFault: false,
    counts: true,
  },
  {
    // New inputs for every fuzz target, five minutes each; the daily run has the stored ones and a few hundred more.
    name: 'fuzz',
    tier: 'all',
    command: [node, 'scripts/fuzz.mjs'],
    fix: 'add the input that it prints to conformance/fuzz/corpus; repeat it with the printed CLOISTER_SEED',
    hasFault: false,
    counts: true,
  },
  {
    // Coverage-guided targets of the engine, a minute each.
    name: 'fuzz-guided',
    tier: 'all',
    command: [node, 'scripts/fuzz-guided.mjs'],
    fix: 'add the input that it prints to conformance/fuzz/corpus; repeat it with the printed CLOISTER_SEED',
    hasFault: false,
    counts: true,
  },
  {
    // Mutates the sources of the most critical rooms; the other rooms take an hour each.
    name: 'mutation',
    tier: 'all',
    command: ['npm', 'run', '--silent', 'test:mutation', '--', '--check'],
    fix: 'write a test that fails with the mutant, or give the reason in conformance/mutation/accepted.json',
    hasFault: false,
  },
  {
    // The behaviour suites on every supported line of Node.
    name: 'nodes',
    tier: 'all',
    command: npmRun('test:nodes'),
    fix: 'npm run test:nodes -- 24',
    hasFault: false,
    counts: true,
  },
  {
    // Published frameworks and libraries that build on the interface; each is installed separately.
    name: 'integrations',
    tier: 'all',
    command: npmRun('test:integrations'),
    fix: 'npm run test:integrations',
    hasFault: false,
    counts: true,
  },
  {
    // Published APM agents: they see every request, whatever serves it.
    name: 'apm',
    tier: 'all',
    command: npmRun('test:apm'),
    fix: 'npm run test:apm',
    hasFault: false,
  },
  {
    // A user's project, with the published declarations, on several versions of the compiler.
    name: 'consumers',
    tier: 'all',
    command: npmRun('test:consumers'),
    fix: 'npm run test:consumers',
    hasFault: false,
    counts: true,
  },
  {
    // Projects of users outside of the repository, with the packed packages: Jest, bundlers, compilers.
    name: 'packaging',
    tier: 'all',
    command: npmRun('test:packaging'),
    fix: 'npm run test:packaging',
    hasFault: false,
    counts: true,
  },
  {
    // Pages in a real browser: the system's Chromium.
    name: 'browser',
    tier: 'all',
    command: npmRun('test:browser'),
    fix: 'npm run test:browser',
    hasFault: false,
    counts: true,
  },
  {
    // The documentation site: its links, search, playground and accessibility.
    name: 'site',
    tier: 'all',
    command: npmRun('test:site'),
    fix: 'npm run test:site',
    hasFault: false,
    counts: true,
  },
  {
    name: 'packages',
    tier: 'all',
    command: npmRun('check:packages'),
    fix: 'npm run check:packages',
    hasFault: false,
  },
  {
    name: 'peer-suites',
    tier: 'all',
    command: npmRun('test:peer-suites'),
    fix: 'npm run test:peer-suites',
    hasFault: false,
  },
]

/** @type {readonly Tier[]} */
export const TIERS = ['test', 'check', 'all']
