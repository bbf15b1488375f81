import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { findState } from '../src/replicas/find-state.ts'
import { failedTests } from '../src/replicas/report.ts'
import { build } from '../../../scripts/lib/build.mjs'

const bin = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const fixtures = fileURLToPath(new URL('./fixtures', import.meta.url))
const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))

/** A run takes seconds, and a busy machine makes them many. */
const LONG = 180_000

/** Runs `cloister replicas` in a folder of fixtures. */
async function replicas(folder: string, ...args: string[]): Promise<{ code: unknown; output: string }> {
  // The test runner of Node prints nothing within another one.
  const { NODE_TEST_CONTEXT: _context, VITEST: _vitest, NODE_OPTIONS: _options, ...env } = process.env
  const child = spawn(process.execPath, [bin, 'replicas', ...args], { cwd: path.join(fixtures, folder), env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code]: unknown[] = await once(child, 'close')
  return { code, output }
}

const APP = ['--app', 'app.mjs'] as const
const NODE = ['--', process.execPath, '--test'] as const

beforeAll(build)

describe('cloister replicas', () => {
  it(
    'names twenty tests whose app keeps state in a process, and none of the others',
    async () => {
      const { code, output } = await replicas('replicas', ...APP, '--runs', '4', ...NODE, 'app.test.mjs')
      const found = [...output.matchAll(/^ {2}(\S.*) \(seed [\d, ]+\)$/gm)].map(([, name]) => name)
      expect(found).toHaveLength(20)
      expect(found.every((name) => name?.startsWith('keeps '))).toBe(true)
      expect(code).toBe(1)
      expect(output).toMatch(/^ {2}app\.test\.mjs:\d+ {2}POST \/wrong\/list\/a → \d/m)
      expect(output).toMatch(/^ {2}counter\.mjs:2 {2}count$/m)
      expect(output).toMatch(/^ {2}app\.mjs:\d+ {2}inPlugin$/m)
    },
    LONG,
  )

  it(
    'passes tests of an app that shares its state, over inject, fetch and sockets',
    async () => {
      const healthy = '--test-name-pattern=/^(shares|is)/'
      const { code, output } = await replicas(
        'replicas',
        ...APP,
        '--runs',
        '3',
        ...NODE,
        healthy,
        'app.test.mjs',
      )
      expect([code, output]).toEqual([
        0,
        expect.stringMatching(/^3 replicas, 3 runs, \d+ requests: every test/),
      ])
    },
    LONG,
  )

  it(
    'runs the tests of Vitest by its plugin, with TypeScript',
    async () => {
      const command = ['--', process.execPath, vitest, 'run']
      const { code, output } = await replicas('replicas-vitest', '--app', 'app.ts', '--runs', '2', ...command)
      expect(code).toBe(1)
      expect(output).toMatch(/notes\.check\.ts > keeps notes \(seed/)
      expect(output).not.toContain('> shares notes (seed')
      expect(output).toContain('notes.ts:1  notes')
    },
    LONG,
  )

  it.each<[string, readonly string[], number, string]>([
    [
      'no test asks the app',
      [...APP, '--', process.execPath, '-e', '0'],
      3,
      'no test has asked the app of app.mjs',
    ],
    [
      'the tests fail with one replica too',
      [...APP, '--', process.execPath, '-e', 'throw new Error("broken")'],
      1,
      'the tests fail with one replica too',
    ],
    ['the command cannot be run', [...APP, '--', 'no-such-command'], 3, 'no-such-command cannot be run'],
    [
      'the count is no number',
      [...APP, '--count', 'two', ...NODE],
      2,
      "--count must be a number from 1 on, got 'two'",
    ],
  ])(
    'ends with an error where %s',
    async (_what, args, code, text) => {
      const result = await replicas('replicas', ...args)
      expect(result).toEqual({ code, output: expect.stringContaining(text) })
    },
    LONG,
  )
})

describe('the report of replicas', () => {
  it('names failed tests as runners print them', () => {
    const output = [
      '✖ keeps notes (12.3ms)',
      'not ok 3 - counts',
      '\u001B[31m FAIL \u001B[39m test/a.test.ts > notes > are kept',
      '  1) mocha keeps:',
      '✖ failing tests:',
      '✔ passes (1ms)',
    ].join('\n')
    expect(failedTests(output)).toEqual([
      'keeps notes',
      'counts',
      'test/a.test.ts > notes > are kept',
      'mocha keeps',
    ])
  })

  it.each<[string, string, readonly string[]]>([
    ['a counter', 'let n = 0\nexport const next = () => n++', ['n']],
    [
      'a list in a plugin',
      'export default function plugin(app) { const all = []; app.get("/", () => all.push(1)) }',
      ['all'],
    ],
    ['a map that is exported', 'export const known = new Map()', ['known']],
    ['a member', 'const state = {}\nfunction set() { state.a = 1 }', ['state']],
    ['nothing that stays within a call', 'function f() { const all = []; all.push(1); return all }', []],
    ['nothing that is only read', 'const names = ["a"]\nexport const f = () => names.length', []],
  ])('finds the variables that requests change: %s', async (_what, text, names) => {
    expect((await findState({ path: 'a.ts', text })).map(({ name }) => name)).toEqual(names)
  })
})
