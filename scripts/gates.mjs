// The gates of `npm run check`, in the order in which they run: the cheap ones first, the tests last.
// `scripts/canaries.mjs` runs the same commands on planted faults, so a gate is described here and nowhere else.

/**
 * @typedef {object} Gate
 * @property {string} name what the gate looks at, one word
 * @property {readonly string[]} command program and arguments; run in the folder that is checked
 * @property {readonly string[]} [needs] command that must have run before
 * @property {string} fix what to do when it is red
 */

const node = process.execPath

/** @type {readonly Gate[]} */
export const gates = [
  { name: 'format', command: ['oxfmt', '--check'], fix: 'npm run format' },
  { name: 'types', command: ['tsc', '-b'], fix: 'correct the types; `npx tsc -b` shows them alone' },
  { name: 'lint', command: ['oxlint'], fix: 'npx oxlint --fix, or correct by hand' },
  {
    name: 'silenced',
    command: [node, 'scripts/silenced.mjs'],
    fix: 'say why: `// oxlint-disable-next-line rule -- reason`',
  },
  {
    name: 'layers',
    command: [node, 'scripts/layers.mjs'],
    fix: 'import from a lower layer or room; the table is scripts/layers.json',
  },
  { name: 'unused', command: ['knip'], fix: 'remove what nothing uses' },
  {
    name: 'dependencies',
    command: [node, 'scripts/dependencies.mjs'],
    fix: 'give each dependency its line and reason in docs/dependencies.md',
  },
  {
    name: 'generated',
    command: [node, 'scripts/errors-doc.mjs', '--check'],
    needs: [node, 'scripts/build.mjs'],
    fix: 'npm run docs:errors',
  },
  {
    name: 'docs',
    command: [node, 'scripts/doc-examples.mjs'],
    needs: [node, 'scripts/build.mjs'],
    fix: 'correct the example, or mark a block that cannot stand alone with ```ts fragment',
  },
]

/** The tests are a gate like the others; they stand apart because they count one by one.
 * @type {Gate} */
export const tests = { name: 'tests', command: ['vitest', 'run'], fix: 'npx vitest run <file>' }

/** A user's project, with the declarations as published, on three versions of the compiler.
 * @type {Gate} */
export const consumers = {
  name: 'consumers',
  command: ['npm', 'run', '--silent', 'test:consumers'],
  fix: 'npm run test:consumers',
}

/** The integrations bring dependencies that cannot stand beside each other, so each line is installed by itself.
 * @type {Gate} */
export const integrations = {
  name: 'integrations',
  command: ['npm', 'run', '--silent', 'test:integrations'],
  fix: 'npm run test:integrations',
}
