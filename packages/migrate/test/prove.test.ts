// `cloister migrate` on whole projects: both frameworks are installed here, and what an installation would do is a link.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { build } from '../../../scripts/lib/build.mjs'
import { ROWS } from '../src/rows.ts'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const bin = here('../dist/main.js')
const alias = here('../../fastify')
const TEST = `import { test } from 'node:test'
import { build } from '../app.js'
test('the app starts and closes', async () => {
  const app = build()
  await app.inject('/no-such-route')
  await app.close()
})
`
const SWAP = `import { rmSync, symlinkSync } from 'node:fs'
rmSync('node_modules/fastify')
symlinkSync(${JSON.stringify(alias)}, 'node_modules/fastify')
`

let folder: string
beforeAll(build)
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cli-prove-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Makes a project with this app, moves it, and returns the command's end with the report. */
function migrate(
  framework: 'fastify4' | 'fastify5',
  app: string,
  args: readonly string[] = [],
  test = TEST,
): { readonly status: number | null; readonly report: string; readonly output: string } {
  const files = {
    'package.json': JSON.stringify({
      type: 'module',
      scripts: { test: 'node --test test/app.test.js' },
      dependencies: { fastify: '*' },
    }),
    'app.js': `import Fastify from 'fastify'\nexport function build() {\n${app}\n}\n`,
    'test/app.test.js': test,
    'swap.mjs': SWAP,
  }
  for (const name of ['test', 'node_modules']) mkdirSync(path.join(folder, name))
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  symlinkSync(here(`../../../node_modules/${framework}`), path.join(folder, 'node_modules/fastify'))
  const command = [bin, '--force', '--install', `${process.execPath} swap.mjs`, ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' })
  const report = path.join(folder, 'cloister-migrate.md')
  return {
    status,
    output: stdout + stderr,
    report: existsSync(report) ? readFileSync(report, 'utf8') : '',
  }
}

/** Differences from Fastify 4.29 by their row, each in a context of its own. */
const SEEDS: readonly (readonly [row: string, code: string])[] = [
  [
    'row 2',
    "child.setErrorHandler((error, request, reply) => reply.code(400).send({ where: error.validationContext }))\nchild.get('/2', { schema: { querystring: { type: 'object', required: ['page'], properties: { page: { type: 'integer' } } } } }, async () => 'ok')",
  ],
  ['row 3', "child.post('/3', async () => 'ok')"],
  [
    'row 5',
    "child.get('/5', { schema: { querystring: { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } } } }, async () => 'ok')",
  ],
  ['row 6', "child.get('/6', async (request) => ({ host: request.hostname }))"],
  ['row 7', "child.get('/7/:id', async (request) => typeof request.params.hasOwnProperty)"],
  [
    'row 13',
    "child.get('/13', async (request) => ({ link: 'https://' + request.hostname.replace(/:.*/, '') }))",
  ],
  ['row 14', "child.addHook('preHandler', () => { throw undefined })\nchild.get('/14', async () => 'ran')"],
  [
    'row 30',
    "child.setErrorHandler(async () => undefined)\nchild.get('/30', async () => { throw new Error('broken') })",
  ],
  [
    '"A thrown `null` or `undefined`"',
    "child.setErrorHandler((error, request, reply) => reply.code(500).send({ code: String(error?.code) }))\nchild.get('/null', async () => { throw null })",
  ],
  [
    '"Order of registration"',
    "await child.register(async (inner) => inner.get('/late', async () => { throw new Error('late') }))\nchild.setErrorHandler((error, request, reply) => reply.code(500).send('late handler'))",
  ],
]

const inContexts = SEEDS.map(([, code]) => `app.register(async (child) => {\n${code}\n})`).join('\n')
const SEEDED = `const app = Fastify({ trustProxy: '10.0.0.1' })\n${inContexts}\nreturn app`

const CLEAN = `const app = Fastify()
app.addSchema({ $id: 'book', type: 'object', required: ['title'], properties: { title: { type: 'string', minLength: 1 } } })
app.addHook('onSend', async (request, reply) => { reply.header('x-time', String(Date.now())) })
app.decorateRequest('user', null)
app.get('/books', { schema: { querystring: { type: 'object', properties: { page: { type: 'integer', minimum: 1, default: 1 }, tags: { type: 'array', items: { type: 'string' } } } } } }, async (request) => ({ query: request.query, at: new Date() }))
app.get('/books/:id', { schema: { params: { type: 'object', properties: { id: { type: 'integer' } } }, response: { 200: { $ref: 'book#' } } } }, async (request, reply) => request.params.id === 1 ? { title: 'Emma', secret: 1 } : reply.callNotFound())
app.post('/books', { schema: { body: { $ref: 'book#' } } }, async (request, reply) => { reply.code(201); return request.body })
app.register(async (child) => {
  child.addHook('onRequest', async (request, reply) => { if (request.headers['x-key'] !== 'a') return reply.code(401).send({ error: 'no key' }) })
  child.get('/guarded', async () => ({ id: Math.random() }))
}, { prefix: '/admin' })
app.setNotFoundHandler((request, reply) => reply.code(404).send({ missing: request.url }))
return app`

describe('cloister migrate', () => {
  it('finds ten kinds of differences that are planted in an app, each with its row and line', () => {
    const { status, report } = migrate('fastify4', SEEDED, ['--methods', 'GET,POST'])
    for (const [row] of SEEDS) expect(report).toContain(`: ${row}`)
    const lines = report.split('\n').filter((line) => line.startsWith('- **'))
    for (const line of lines) expect(line).toMatch(/at `app\.js:\d+`/)
    expect(lines.filter((line) => line.includes('no row'))).toEqual([])
    expect(status).toBe(1)
  })

  it.each(['fastify4', 'fastify5'] as const)(
    'reports nothing for an app without a difference: %s',
    (framework) => {
      const { status, report, output } = migrate(framework, CLEAN, ['--methods', 'GET,DELETE,OPTIONS'])
      expect(report).not.toMatch(/^## (?!Not compared)/m)
      expect(output).toContain('1 of 1 pass before, 1 of 1 after; 0 fail now')
      expect(output).toMatch(
        /generated requests: \d{2,} are equal, 0 differ, 0 also differ between two runs on Fastify, 0 came in only one run/,
      )
      expect(status).toBe(0)
    },
  )

  it.each([
    ['row 16', "const app = Fastify({ bodyLimmit: 1 })\napp.get('/', () => 'ok')\nreturn app"],
    ['row 17', "const app = Fastify()\napp.get('/', { schemas: {} }, () => 'ok')\nreturn app"],
    ['row 18', "const app = Fastify()\napp.decorateRequest('user', { name: '' })\nreturn app"],
  ])('says why an app does not start: %s', (row, app) => {
    const { status, report } = migrate('fastify4', app)
    expect(report).toContain('## Apps that do not start')
    expect(report).toMatch(new RegExp(`\`app\\.js:\\d+\`.* ${row}: `))
    expect(report).toMatch(/## Tests that fail now\n\n- the app starts and closes/)
    expect(status).toBe(1)
  })

  it('fails if the installation kept Fastify, with the command that replaces it, and proves nothing', () => {
    const kept = migrate('fastify5', CLEAN, ['--install', `${process.execPath} -e 0`])
    expect(kept.output).toMatch(/node_modules\/fastify is still Fastify 5\.\d+\.\d+/)
    expect(kept.output).toContain('npm install "fastify@npm:@cloister/fastify@')
    expect(kept.report).toBe('')
    expect(kept.status).toBe(3)
  })

  it('compares nothing if what is installed as fastify is another package already', () => {
    const before = `${process.execPath} swap.mjs`
    expect(migrate('fastify5', CLEAN, ['--install', before]).status).toBe(0)
    const again = spawnSync(process.execPath, [bin, '--force'], { cwd: folder, encoding: 'utf8' })
    expect(again.stderr).toMatch(/node_modules\/fastify is @cloister\/fastify .* nothing to compare with/)
    expect(again.status).toBe(3)
  })

  it('claims nothing where no test passes and no response comes', () => {
    const { status, report, output } = migrate('fastify5', "throw new Error('no database')")
    expect(report).toContain('Nothing shows that the app behaves the same')
    expect(output).toContain('Nothing was compared')
    expect(status).toBe(1)
  })

  it('says that the test command is not installed', () => {
    const { output } = migrate('fastify5', 'return Fastify()', ['--test', 'no-such-runner'])
    expect(output).toContain(
      'exit code 127 before, 127 after; the command or one that it runs is not installed; --test',
    )
  })

  it('compares nothing that is new in each run, such as the id of a session', () => {
    const app =
      "const app = Fastify()\nconst id = Math.random()\napp.get('/', async () => ({ id, a: 1 }))\nreturn app"
    const { status, report } = migrate('fastify5', app)
    expect(report).not.toContain('## Responses that differ')
    expect(status).toBe(0)
  })

  it('sends drawn requests in a run of their own, so that tests which count calls pass as they do', () => {
    const counting = `import { test } from 'node:test'
import assert from 'node:assert/strict'
import { build, calls } from '../app.js'
for (const name of ['the first', 'the second', 'the third']) {
  test(name, async (t) => {
    calls.length = 0
    const app = build()
    t.after(() => app.close())
    await app.inject('/a')
    assert.equal(calls.length, 1)
  })
}
`
    const app = `const app = Fastify()
app.addHook('onRequest', async (request) => { calls.push(request.url) })
app.get('/a', () => 'a')
return app
}
export const calls = []
function unused() {`
    const { status, report } = migrate('fastify5', app, [], counting)
    expect(report).toContain('tests: 3 of 3 pass before, 3 of 3 after')
    expect(report).toMatch(/generated requests: [1-9]\d* are equal, 0 differ/)
    expect(status).toBe(0)
  })

  it('compares the responses to the requests of the tests, and which tests pass', () => {
    const test = `${TEST}import assert from 'node:assert'
test('the host has its port', async () => {
  const response = await build().inject({ url: '/host', headers: { host: 'a.test:81' } })
  assert.equal(response.body, 'a.test:81')
})
`
    const app = "const app = Fastify()\napp.get('/host', async (request) => request.hostname)\nreturn app"
    const { report } = migrate('fastify4', app, [], test)
    expect(report).toContain('at `test/app.test.js:10`: row 6')
    expect(report).toContain('- tests: 2 of 2 pass before, 1 of 2 after; 1 fail now')
    expect(report).toContain('- the host has its port')
  })
})

describe('the rows of the report', () => {
  it('are in the migration guide', () => {
    const guide = readFileSync(here('../../../docs/migrating.md'), 'utf8')
    for (const { row } of ROWS)
      expect(guide).toContain(typeof row === 'number' ? `\n| ${row} | ` : `- **${row}`)
  })
})
