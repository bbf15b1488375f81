import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command, createProject, createRoot, modules, run, SLOW, type Ended } from './build-project.ts'

const fixture = fileURLToPath(new URL('fixtures/sealed-worker', import.meta.url))

let root: string
beforeAll(async () => {
  root = await createRoot()
}, SLOW)
afterAll(() => rm(root, { recursive: true, force: true }))

/** Makes the folder of a project with an app. */
const project = (app: string, hasModules = true): Promise<string> => createProject(root, app, hasModules)

const USERS = `import { cloister } from 'cloister'
import { writeFileSync } from 'node:fs'

const user = {
  $id: 'user',
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', minLength: 2, pattern: '^([a-z]+-?)*$' }, age: { type: 'integer', minimum: 0 } },
}
export const app = cloister()
app.addSchema(user)
app.get('/users/:id', {
  schema: {
    params: { type: 'object', properties: { id: { type: 'integer' } } },
    response: { 200: { $ref: 'user#' } },
  },
}, (request) => ({ name: 'ada', age: request.params.id, secret: true }))
app.post('/users', { schema: { body: { $ref: 'user#' }, response: { 201: { $ref: 'user#' } } } }, (request, reply) => {
  writeFileSync('created', '')
  return reply.code(201).send(request.body)
})
`

const FORMS = `import { cloister } from 'cloister'
import { websocket } from '@cloister/websocket'
export const app = await cloister().register(websocket)
const schema = { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } }
app.post('/form', { schema: { body: { content: { 'multipart/form-data': { schema } } } } },
  async ({ body }) => ({ text: await body.file.text() }))
app.ws('/socket', async (socket) => { for await (const _ of socket); })
`

/** In place of the package `tsx`. */
const TSX = {
  'package.json': '{ "exports": "./index.mjs" }',
  'index.mjs': "import { register } from 'node:module'; register('./load.mjs', import.meta.url)",
  'load.mjs': `import { readFile } from 'node:fs/promises'
import { transform } from 'esbuild'
export const load = async (url, context, next) => {
  if (!url.endsWith('.ts')) return next(url, context)
  const { code } = await transform(await readFile(new URL(url), 'utf8'), { loader: 'ts' })
  return { format: 'module', shortCircuit: true, source: code }
}`,
}

const WORKER = `import { cloister } from 'cloister'
const app = cloister()
app.post('/contacts', {
  schema: {
    body: {
      type: 'object',
      required: ['mail'],
      properties: { mail: { type: 'string', format: 'email' }, age: { type: 'integer' } },
    },
  },
}, (request) => request.body)
export default { fetch: app.fetch }
`

/** Adds what an app in TypeScript needs to the packages of a workspace. */
async function addTsx(workspace: string): Promise<void> {
  await mkdir(path.join(workspace, 'node_modules/tsx'), { recursive: true })
  for (const name of ['cloister', 'esbuild'])
    await symlink(path.join(modules, name), path.join(workspace, 'node_modules', name))
  for (const [name, text] of Object.entries(TSX))
    await writeFile(path.join(workspace, 'node_modules/tsx', name), text)
}

interface Injected {
  readonly statusCode: number
  readonly payload: string
}

describe('cloister build', { timeout: SLOW }, () => {
  it('writes one module that responds as the app does, without a folder of packages', async () => {
    const folder = await project(USERS)
    const { code, out, err } = await command(folder, '--out', 'dist/built.mjs')
    expect(err).toBe('')
    expect(code).toBe(0)
    expect(out).toMatch(
      /^\d+ requests, 0 differences\ndist\/built\.mjs for node: [\d.]+ KB, [\d.]+ KB after gzip, sealed, with 3 functions of schemas as code\n/,
    )
    // Handlers of methods that change data do not run.
    expect(existsSync(path.join(folder, 'created'))).toBe(false)
    expect(readdirSync(path.join(folder, 'dist')).toSorted()).toEqual([
      'built.mjs',
      'built.mjs.cache',
      'built.mjs.map',
    ])

    const alone = await project('', false)
    await cp(path.join(folder, 'dist'), alone, { recursive: true })
    const script = `const { default: app } = await import('./built.mjs')
      const sent = [{ url: '/users/7' }, { url: '/users/x' }, { method: 'POST', url: '/users', payload: { name: 'a' } },
        { method: 'POST', url: '/users', payload: { name: 'ada', age: '3', more: 1 } }]
      const got = []
      for (const one of sent) got.push(await app.inject(one))
      console.log(JSON.stringify(got.map(({ statusCode, payload }) => ({ statusCode, payload }))))`
    const ran = await run(alone, [
      '--disallow-code-generation-from-strings',
      '--input-type=module',
      '-e',
      script,
    ])
    expect(ran.err).toBe('')
    const got: Injected[] = JSON.parse(ran.out)
    expect(got.map(({ statusCode }) => statusCode)).toEqual([200, 400, 400, 201])
    expect(got.map(({ payload }) => payload)).toEqual([
      '{"name":"ada","age":7}',
      expect.stringContaining('params/id must be integer'),
      expect.stringContaining('body/name must NOT have fewer than 2 characters'),
      '{"name":"ada","age":3}',
    ])
  })

  it('writes one module with what only requests need: the parser of forms, and ws', async () => {
    const folder = await project(FORMS)
    const { code, err } = await command(folder, '--out', 'dist/built.mjs')
    expect([code, err]).toEqual([0, ''])
    const alone = await project('', false)
    await cp(path.join(folder, 'dist'), alone, { recursive: true })
    const script = `const { default: app } = await import('./built.mjs')
      const body = new FormData()
      body.append('file', new File(['hello'], 'a.txt'))
      const form = await app.fetch(new Request('http://localhost/form', { method: 'POST', body }))
      console.log(form.status, await form.text())
      const { get } = await import('node:http')
      const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' }
      const url = await app.listen({ port: 0 })
      const show = ({ statusCode }) => { console.log(statusCode); process.exit() }
      get(url + '/socket', { headers }, show).on('upgrade', show)`
    const ran = await run(alone, ['--input-type=module', '-e', script])
    expect([ran.err, ran.out]).toEqual(['', '200 {"text":"hello"}\n101\n'])
  })

  it('writes nothing, and names request and difference, if the built app responds differently', async () => {
    const folder = await project(
      `${USERS}app.get('/where', () => ({ built: !new Error('here').stack.includes('app.mjs') }))\n`,
    )
    const { code, out, err } = await command(folder, '--out', 'dist/built.mjs')
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err).toContain('GET /where (app.mjs:')
    expect(err).toContain('body/built: false became true')
    expect(err).toMatch(/\d+ requests, [1-9]\d* differences\ndist\/built\.mjs is not written\n$/)
    expect(readdirSync(folder).toSorted()).toEqual(['app.mjs', 'node_modules'])
  })

  it.each([
    ['exports.default of a transpiler', 'Object.assign(exports, { __esModule: true, default: make() })'],
    ['a function that is exports.default, without the mark', 'exports.default = make'],
    ['a promise', 'exports.app = Promise.resolve().then(make)'],
  ])(
    'exports the app that a CommonJS module has as %s',
    async (_what, exporting) => {
      const folder = await project('')
      await writeFile(
        path.join(folder, 'app.cjs'),
        `function make() {
  const app = require('cloister')()
  app.get('/hello', () => ({ hello: 'you' }))
  return app
}
${exporting}
`,
      )
      const built = await command(folder, 'app.cjs', '--out', 'built.mjs')
      expect(built.err).toBe('')
      expect(built.out).toMatch(/^[1-9]\d* requests, 0 differences$/m)
      const use = `const { app } = await import('./built.mjs'); console.log((await app.inject('/hello')).body)`
      const { out } = await run(folder, ['--input-type=module', '-e', use])
      expect(out).toBe('{"hello":"you"}\n')
    },
    SLOW,
  )

  it(
    'finds the files that lie beside the modules, by their places from the written file',
    async () => {
      const folder = await project(`import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { cloister } from 'cloister'
import words from './lib/words.cjs'

const __dirname = new URL('.', import.meta.url).pathname
const isMain = import.meta.url === 'file://' + process.argv[1]
const own = readFileSync(new URL('data.txt', import.meta.url), 'utf8')
export const app = cloister()
app.get('/all', () => [own, words, readFileSync(__dirname + 'data.txt', 'utf8'), import.meta.dirname === undefined, isMain])
`)
      await mkdir(path.join(folder, 'lib'))
      await writeFile(path.join(folder, 'data.txt'), 'beside the app')
      await writeFile(path.join(folder, 'lib/words.txt'), 'beside the library')
      await writeFile(
        path.join(folder, 'lib/words.cjs'),
        `#!/usr/bin/env node
'use strict'
module.exports = require('node:fs').readFileSync(__dirname + '/words.txt', 'utf8')
`,
      )
      const built = await command(folder, '--out', 'dist/deep/built.mjs')
      expect(built.err).toBe('')
      const moved = path.join(root, 'moved')
      await cp(folder, moved, { recursive: true, filter: (source) => !source.endsWith('node_modules') })
      const use = `const { app } = await import('./dist/deep/built.mjs'); console.log((await app.inject('/all')).body)`
      const { out } = await run(moved, ['--input-type=module', '-e', use])
      expect(JSON.parse(out)).toEqual([
        'beside the app',
        'beside the library',
        'beside the app',
        false,
        false,
      ])
    },
    SLOW,
  )

  it('lists schemas of run-time values with file and line, which are compiled at the start', async () => {
    const folder = await project(`${USERS}
const query = { type: 'object', properties: { since: { type: 'integer', minimum: Date.now() - 1e9 } } }
app.get('/news', { schema: { querystring: query } }, (request) => request.query)
`)
    const { code, out } = await command(folder, '--out', 'built.mjs')
    expect(code).toBe(0)
    expect(out).toMatch(
      /^compiled at the start: querystring of GET \/news \(app\.mjs:\d+\): its schema is made of values that change with each start$/m,
    )
    expect(out).toContain(', 0 differences')
    expect(out).toContain('\nnot sealed: the querystring of GET /news is compiled at the start\n')
  })

  it('refuses a schema that the build has not seen, with the route and its line', async () => {
    const folder = await project(`import { cloister } from 'cloister'
const limit = Number(process.env.LIMIT ?? 10)
export const app = cloister()
app.get('/news', { schema: { querystring: { type: 'object', properties: { page: { type: 'integer', maximum: limit } } } } },
  (request) => request.query)
if (process.env.MORE) app.get('/more', { schema: { response: { 200: { type: 'string' } } } }, () => 'more')
`)
    const built = await command(folder, '--out', 'built.mjs')
    expect(built.out).toContain('after gzip, sealed, with 1 functions')
    const use = `const { app } = await import('./built.mjs'); console.log((await app.inject('/news?page=2')).body)`
    const start = (env: object): Promise<Ended> =>
      new Promise((resolve) => {
        const settings = { cwd: folder, env: { ...process.env, ...env } }
        execFile(process.execPath, ['--input-type=module', '-e', use], settings, (error, out, err) =>
          resolve({ code: error === null ? 0 : error.code, out, err }),
        )
      })
    expect(await start({})).toMatchObject({ code: 0, out: '{"page":2}\n' })
    const changed = await start({ LIMIT: '20' })
    expect(changed.code).toBe(1)
    expect(changed.err).toContain('CLO_ERR_SCH_VALIDATION_BUILD')
    expect(changed.err).toContain('GET /news')
    expect(changed.err).toContain(
      'this build is sealed, and was made without this schema, whose route is in app.mjs:4',
    )
    // Node shows the line of the code that has thrown.
    const longest = Math.max(...changed.err.split('\n').map((line) => line.length))
    expect(longest).toBeLessThan(2000)
    const added = await start({ MORE: 'yes' })
    expect(added.err).toContain('CLO_ERR_SCH_SERIALIZATION_BUILD')
    expect(added.err).toMatch(
      /GET \/more[\s\S]*this build is sealed, and was made without this schema: build again/,
    )

    const open = await command(folder, '--out', 'built.mjs', '--no-seal')
    expect(open.out).not.toContain('sealed')
    expect(await start({ LIMIT: '20', MORE: 'yes' })).toMatchObject({ code: 0, out: '{"page":2}\n' })
  })

  it('warns of schemas when it builds, and a sealed app does not again', async () => {
    const folder = await project(`import { cloister } from 'cloister'
export const app = cloister()
const querystring = { type: 'object', required: ['pgae'], properties: { page: { type: 'integer' }, size: { enum: [1, 2] } } }
app.get('/news', { schema: { querystring } }, (request) => request.query)
`)
    const use = `const { app } = await import('./built.mjs'); console.log((await app.inject('/news?pgae=1')).body)`
    for (const [isSealed, args] of [
      [true, []],
      [false, ['--no-seal']],
    ] as const) {
      const built = await command(folder, '--out', 'built.mjs', ...args)
      expect(built.err).toContain('CLO_WRN_REQUIRED_MISSPELT')
      const started = await run(folder, ['--input-type=module', '-e', use])
      expect(started.out).toBe('{"pgae":"1"}\n')
      for (const code of ['CLO_WRN_REQUIRED_MISSPELT', 'CLO_WRN_VALUE_UNMATCHED'])
        expect(started.err.includes(code)).toBe(!isSealed)
    }
  })

  it('is not sealed if a handler compiles schemas of its own, and says where', async () => {
    const folder = await project(`${USERS}
app.get('/own', (request) => request.compileValidationSchema({ type: 'string' })('x'))
`)
    const { code, out } = await command(folder, '--out', 'built.mjs')
    expect(code).toBe(0)
    expect(out).toMatch(/^not sealed: app\.mjs:\d+ compiles schemas while the app runs$/m)
  })

  it('is sealed if only a part that the app does not use compiles schemas', async () => {
    const folder = await project(`${USERS}
import { used } from './parts.mjs'
app.get('/used', used)
`)
    await writeFile(
      path.join(folder, 'parts.mjs'),
      "export { used } from './used.mjs'\nexport { own } from './own.mjs'\n",
    )
    await writeFile(path.join(folder, 'used.mjs'), "export const used = () => 'used'\n")
    const own = "export const own = (request) => request.compileValidationSchema({ type: 'string' })('x')\n"
    await writeFile(path.join(folder, 'own.mjs'), own)
    const { code, out } = await command(folder, '--out', 'built.mjs')
    expect(code).toBe(0)
    expect(out).toContain(', sealed, ')
  })

  it('says why a request of the comparison has no response', async () => {
    const folder = await project(`import { cloister } from 'cloister'
const app = cloister()
app.get('/', () => 'here')
const isBuilt = !new Error('here').stack.includes('app.mjs')
export default {
  fetch(request) {
    if (isBuilt) throw new RangeError('not in a bundle')
    return app.fetch(request)
  },
}
`)
    const { code, err } = await command(folder, '--target', 'bun', '--out', 'built.mjs')
    expect(code).toBe(1)
    expect(err).toContain('  the built app: RangeError: not in a bundle\n')
  })

  it('writes a worker without code from text, with the features that the app needs', async () => {
    const folder = await project(WORKER)
    const { code, out, err } = await command(folder, '--target', 'workerd', '--out', 'worker.mjs')
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('features: formats\n')
    const text = readFileSync(path.join(folder, 'worker.mjs'), 'utf8')
    expect(text).not.toMatch(/\beval\)?\(|\bnew Function\b|\bcreateRequire\b|\bfrom ?"node:/)
    const { default: worker }: { default: { fetch(request: Request): Promise<Response> } } = await import(
      /* @vite-ignore */ pathToFileURL(path.join(folder, 'worker.mjs')).href
    )
    const post = async (body: string): Promise<string> => {
      const headers = { 'content-type': 'application/json' }
      const response = await worker.fetch(
        new Request('http://localhost/contacts', { method: 'POST', headers, body }),
      )
      return `${response.status} ${await response.text()}`
    }
    expect(await post('{"mail":"a@b.c","age":"4"}')).toBe('200 {"mail":"a@b.c","age":4}')
    expect(await post('{"mail":"nobody"}')).toContain('body/mail must match format \\"email\\"')
  })

  it('seals a worker that responds as the app does, also to requests that no comparison has sent', async () => {
    const folder = await project('')
    for (const name of ['app.mjs', 'requests.jsonl', 'compare.mjs'])
      await cp(path.join(fixture, name), path.join(folder, name))
    const { code, out, err } = await command(folder, '--target', 'workerd', '--out', 'worker.mjs')
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('after gzip, sealed, with')
    const compared = await run(folder, ['compare.mjs', 'app.mjs', 'worker.mjs', 'requests.jsonl'])
    expect(compared.out.slice(-3000)).toMatch(/^\d{3} requests, 0 differences\n$/)
  })

  it('seals a worker that opens WebSockets, which no comparison does', async () => {
    const folder = await project(`import { cloister } from 'cloister'
      import { websocket } from '@cloister/websocket'
      export const app = await cloister().register(websocket)
      app.ws('/socket', async (socket) => { for await (const message of socket) socket.send([message]) })`)
    const { code, out } = await command(folder, '--target', 'workerd', '--out', 'built.mjs')
    expect([code, out]).toEqual([0, expect.stringContaining('sealed')])
    const script = `const socket = Object.assign(new EventTarget(), { send: console.log, close() {} })
      globalThis.Deno = { upgradeWebSocket: () => ({ socket, response: new Response('opened') }) }
      const { default: worker } = await import('./built.mjs')
      const headers = { upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' }
      const response = await worker.fetch(new Request('http://localhost/socket', { headers }))
      console.log(response.status, await response.text())
      socket.dispatchEvent(Object.assign(new Event('message'), { data: '"hello"' }))
      setTimeout(process.exit, 100, 0)`
    const ran = await run(folder, ['--input-type=module', '-e', script])
    expect([ran.err, ran.out]).toEqual(['', '200 opened\n["hello"]\n'])
  })

  it('writes an open build of an app that responds differently when it is sealed, and names the request', async () => {
    const folder = await project(`import 'cloister/features/inspect'
import { cloister } from 'cloister'
const app = cloister()
app.get('/tier', { schema: { response: { 200: { type: 'string' } } } }, () => app.explain('GET', '/tier').serializers[0].tier)
export default { fetch: app.fetch }
`)
    const { code, out } = await command(folder, '--target', 'workerd', '--out', 'worker.mjs')
    expect(code).toBe(0)
    expect(out).toContain('after gzip, open, with')
    expect(out).toContain('not sealed: a sealed build responds differently to GET /tier (')
  })

  it('refuses a start of a sealed worker that does what no start had done when it was built', async () => {
    const folder = await project(`import { cloister } from 'cloister'
const { limit, hook, plugin } = globalThis.settings ?? {}
const app = cloister({ ...(limit && { bodyLimit: limit }) })
app.get('/', () => 'ok')
if (hook) app.addHook('onRequest', async () => {})
if (plugin) app.register(async () => {})
export default { fetch: app.fetch }
`)
    const built = await command(folder, '--target', 'workerd', '--out', 'worker.mjs')
    expect(built.out).toContain('after gzip, sealed, with')
    const start = async (settings: object): Promise<string> => {
      const script = `globalThis.settings = ${JSON.stringify(settings)}
        try {
          const { default: worker } = await import('./worker.mjs')
          console.log(await (await worker.fetch(new Request('http://localhost/'))).text())
        } catch (error) { console.log(error.code, error.message) }`
      const { out } = await run(folder, ['--input-type=module', '-e', script])
      return out.trim()
    }
    expect(await start({})).toBe('ok')
    expect(await start({ limit: 5 })).toBe('ok')
    const outdated = /^CLO_ERR_BUILD_OUTDATED .*: build it again, or with --no-seal$/
    expect(await start({ hook: true })).toMatch(outdated)
    expect(await start({ plugin: true })).toMatch(outdated)
  })

  it('compares the routes of an app that the first request makes', async () => {
    const folder = await project(`import { cloister } from 'cloister'
let app
const make = () => {
  const made = cloister()
  made.get('/', () => 'ok')
  return made
}
export default { fetch: (request) => (app ??= make()).fetch(request) }
`)
    const { code, out } = await command(folder, '--target', 'workerd', '--out', 'worker.mjs')
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^[1-9]\d* requests, 0 differences\n[\s\S]*sealed/),
    ])
  })

  describe('of several apps', () => {
    const APPS = `import { cloister } from 'cloister'
const other = cloister()
other.addHook('onRequest', async (request, reply) => { reply.header('x-other', '1') })
other.post('/other', { schema: { body: { type: 'object' } } }, () => 'other')
const app = cloister()
app.get('/', () => 'ok')
const isOther = WHEN
export default { fetch: (request) => (isOther(request) ? other : app).fetch(request) }
`
    const ask = async (folder: string): Promise<string> => {
      const script = `import('./worker.mjs').then(async ({ default: worker }) => {
        const headers = { 'content-type': 'application/json', 'x-for': 'other' }
        const response = await worker.fetch(new Request('http://localhost/other', { method: 'POST', headers, body: '{}' }))
        console.log(response.headers.get('x-other'), await response.text())
      })`
      return (await run(folder, ['--input-type=module', '-e', script])).out
    }

    it('seals a worker that starts each of them by its own routes', async () => {
      const folder = await project(APPS.replace('WHEN', "({ url }) => url.includes('/other')"))
      const { out } = await command(folder, '--target', 'workerd', '--out', 'worker.mjs')
      expect(out).toContain('after gzip, sealed, with')
      expect(await ask(folder)).toBe('1 other\n')
    })

    it('does not seal a worker with an app that no request starts', async () => {
      const folder = await project(APPS.replace('WHEN', "({ headers }) => headers.get('x-for') === 'other'"))
      const { out } = await command(folder, '--target', 'workerd', '--out', 'worker.mjs')
      expect(out).toContain('\nnot sealed: one of its apps got no request, so its start is not known')
      expect(await ask(folder)).toBe('1 other\n')
    })

    it('seals what starts on Node with all that they need', async () => {
      const folder = await project(APPS.replace('WHEN', "({ headers }) => headers.get('x-for') === 'other'"))
      const { out } = await command(folder, '--target', 'bun', '--out', 'worker.mjs')
      expect(out).toContain('after gzip, sealed, with 1 functions')
      expect(await ask(folder)).toBe('1 other\n')
    })
  })

  it('exports for Bun what takes its sockets, if the app has any', async () => {
    const socketOf =
      'import { websocket } from "@cloister/websocket"\nawait app.register(websocket)\napp.ws("/talk", () => {})'
    for (const [sockets, expected] of [
      [socketOf, 'fetch,websocket close,message,open'],
      [
        socketOf.replace('await app.', 'await app.register(async (app) => {\nawait app.') + ' })',
        'fetch,websocket close,message,open',
      ],
      ['app.get("/chat", { upgrade: { protocol: "chat", take: () => {} } }, () => "x")', 'fetch '],
      ['', 'fetch '],
    ] as const) {
      const folder = await project(`import { cloister } from 'cloister'
export const app = cloister()
app.get('/', () => 'x')
${sockets}
`)
      await command(folder, '--target', 'bun', '--out', 'worker.mjs')
      const { out } = await run(folder, [
        '--input-type=module',
        '--eval',
        `import worker from './worker.mjs'
const { websocket = {} } = worker
const handlers = Object.keys(websocket).filter((name) => ['open', 'message', 'close'].includes(name))
console.log(Object.keys(worker).toSorted().join() + ' ' + handlers.toSorted().join())`,
      ])
      expect(out).toBe(`${expected}\n`)
    }
  })

  it('builds a worker behind proxies', async () => {
    const folder = await project(`import { cloister } from 'cloister'
const app = cloister({ trustProxy: ['10.0.0.0/8'] })
app.get('/ip', (request) => request.ip ?? 'none')
export default { fetch: app.fetch }
`)
    const { code, out, err } = await command(folder, '--target', 'workerd', '--out', 'worker.mjs')
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('features: proxies')
  })

  it('keeps the members that a worker names by an enum of TypeScript', async () => {
    const folder = await mkdtemp(path.join(root, 'enum-'))
    await addTsx(folder)
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(path.join(folder, 'names.ts'), "export enum Act { Gone = 'callNotFound' }\n")
    await writeFile(
      path.join(folder, 'app.ts'),
      `import { cloister } from 'cloister'
import { Act } from './names.ts'
const app = cloister()
app.post('/', (request, reply) => reply[Act.Gone]())
export default { fetch: app.fetch }
`,
    )
    const { out } = await command(folder, 'app.ts', '--target', 'workerd', '--out', 'worker.mjs')
    expect(out).toContain('after gzip, sealed, with')
    const script = `import('./worker.mjs').then(async ({ default: worker }) =>
      console.log((await worker.fetch(new Request('http://localhost/', { method: 'POST' }))).status))`
    expect((await run(folder, ['--input-type=module', '-e', script])).out).toBe('404\n')
  })

  it('says which feature to import if only requests need it', async () => {
    const folder = await project(`import { cloister } from 'cloister'
const app = cloister()
app.post('/', () => app.printRoutes())
export default { fetch: app.fetch }
`)
    await command(folder, '--target', 'workerd', '--out', 'worker.mjs')
    const script = `import('./worker.mjs').then(async ({ default: worker }) =>
      console.log(await (await worker.fetch(new Request('http://localhost/', { method: 'POST' }))).text()))`
    const { out } = await run(folder, ['--input-type=module', '-e', script])
    expect(out).toContain("if only requests need it, with import 'cloister/features/inspect' in the app")
  })

  it('writes nothing if a worker imports a module of Node, and says where', async () => {
    const folder = await project(`import { readFileSync } from 'node:fs'\n${WORKER}\nvoid readFileSync\n`)
    const { code, err } = await command(folder, '--target', 'workerd', '--out', 'worker.mjs')
    expect(code).toBe(1)
    expect(err).toContain('app.mjs:1: it imports "node:fs", which the target does not have')
    expect(readdirSync(folder).toSorted()).toEqual(['app.mjs', 'node_modules'])
  })

  it('imports modules of Node in a worker that has them with a flag, also where a package loads them by require', async () => {
    const folder = await project(`import { createHash } from './hash.cjs'\n${WORKER}
app.get('/hash', () => createHash('sha256').update('a').digest('hex'))
`)
    await writeFile(path.join(folder, 'hash.cjs'), "exports.createHash = require('node:crypto').createHash\n")
    const args = ['--target', 'workerd', '--out', 'worker.mjs', '--external', 'node:*']
    const { code, out, err } = await command(folder, ...args)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('0 differences')
    const { default: worker } = await import(pathToFileURL(path.join(folder, 'worker.mjs')).href)
    const response: Response = await worker.fetch(new Request('http://localhost/hash'))
    expect(await response.text()).toMatch(/^ca978112ca1bbdca/)
  })

  describe('for Lambda', () => {
    const APP = `import { cloister } from 'cloister'
      const app = cloister()
      app.get('/text/:name', (request, reply) => reply.headers({ 'set-cookie': ['a=1', 'b=2'] }).send(request.params.name))
      app.get('/bytes', () => Buffer.from([255, 0, 1]))
      app.get('/none', (_request, reply) => reply.code(204).send())
      app.get('/events', { schema: { response: { 200: { content: { 'text/event-stream': { schema: { type: 'integer' } } } } } } },
        async function* () { yield 1; yield 2 })
      app.post('/echo', (request) => ({ got: request.body, from: request.ip, query: request.query }))
      export default app`
    /** What Lambda gives to a handler whose responses are streamed. */
    const STREAMS = `import { PassThrough } from 'node:stream'
      globalThis.awslambda = {
        streamifyResponse: (handler) => handler,
        HttpResponseStream: { from: (output, head) => { output.head = head; return output } },
      }
      const { handler, stream } = await import('./lambda.mjs')
      const eventOf = (method, rawPath, more) => ({ rawPath, rawQueryString: '', headers: { host: 'example.test' },
        isBase64Encoded: false, requestContext: { http: { method, sourceIp: '192.0.2.1' } }, ...more })`

    async function lambda(script: string): Promise<string[]> {
      const folder = await project(APP)
      const { code, err } = await command(folder, '--target', 'lambda', '--out', 'lambda.mjs')
      expect([code, err]).toEqual([0, ''])
      const { out } = await run(folder, ['--input-type=module', '-e', `${STREAMS}\n${script}`])
      return out.trim().split('\n')
    }

    it('writes a handler of whole responses, whose texts stay texts', async () => {
      const lines =
        await lambda(`const print = async (...args) => console.log(JSON.stringify(await handler(eventOf(...args))))
        await print('GET', '/text/%C3%A9')
        await print('GET', '/bytes')
        const json = { host: 'example.test', 'content-type': 'application/json' }
        const body = Buffer.from('{"a":1}').toString('base64')
        await print('POST', '/echo', { headers: json, body, isBase64Encoded: true, rawQueryString: 'x=1&x=2' })
        const ofRestApi = { httpMethod: 'GET', path: '/bytes', requestContext: { httpMethod: 'GET' } }
        await handler(ofRestApi).catch((error) => console.log(error.message))`)
      const [text, bytes, echo] = lines.slice(0, 3).map((line): unknown => JSON.parse(line))
      expect(text).toMatchObject({
        statusCode: 200,
        cookies: ['a=1', 'b=2'],
        body: 'é',
        isBase64Encoded: false,
      })
      expect(bytes).toMatchObject({ body: '/wAB', isBase64Encoded: true })
      const got = '{"got":{"a":1},"from":"192.0.2.1","query":{"x":["1","2"]}}'
      expect(echo).toMatchObject({ statusCode: 200, body: got })
      expect(lines[3]).toContain('use the app with @fastify/aws-lambda')
    })

    it('writes a handler whose responses are streamed', async () => {
      const lines = await lambda(`const print = async (path) => {
          const output = new PassThrough()
          const chunks = []
          output.on('data', (chunk) => chunks.push(String(chunk)))
          await stream(eventOf('GET', path), output)
          console.log(JSON.stringify([output.head.statusCode, output.head.cookies, chunks]))
        }
        await print('/events')
        await print('/text/x')
        await print('/none')`)
      expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
        [200, [], ['data: 1\n\n', 'data: 2\n\n']],
        [200, ['a=1', 'b=2'], ['x']],
        [204, [], []],
      ])
    })
  })

  it('leaves out what is not installed where code loads it by require, and says so', async () => {
    const folder = await project(`import { cloister } from 'cloister'
import { load } from './optional.cjs'
export const app = cloister()
app.get('/', () => 'ok')
app.get('/optional', { schema: { response: { 200: { type: 'string' } } } }, () => {
  try { return load() } catch (error) { return error.code }
})
`)
    await writeFile(path.join(folder, 'optional.cjs'), "exports.load = () => require('not-installed')\n")
    const { code, out, err } = await command(folder, 'app.mjs', '--out', 'out/app.mjs')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('left out, because not installed: not-installed\n')
    const { app } = await import(pathToFileURL(path.join(folder, 'out/app.mjs')).href)
    expect((await app.inject('/optional')).payload).toBe('MODULE_NOT_FOUND')
  })

  it('writes nothing if a package is not installed that a module imports', async () => {
    const folder = await project(`import { cloister } from 'cloister'
export const app = cloister()
app.get('/', async () => (await import('not-installed')).default)
`)
    const { code, err } = await command(folder, 'app.mjs', '--out', 'out/app.mjs')
    expect(code).toBe(1)
    expect(err).toMatch(
      /app\.mjs:3: it imports "not-installed", which is not installed \(if the app does not need it: --external not-installed\)/,
    )
  })

  it('compares recorded requests too, and refuses lines that are none', async () => {
    const folder = await project(USERS)
    const file = path.join(folder, 'requests.jsonl')
    await writeFile(file, '{"url":"/users/12345"}\n{"url":"/none"}\n')
    const counted = async (...args: string[]): Promise<number> => {
      const { out } = await command(folder, '--out', 'built.mjs', ...args)
      return Number(/^(\d+) requests, 0 differences/m.exec(out)?.[1])
    }
    expect((await counted('--requests', 'requests.jsonl')) - (await counted())).toBe(2)
    for (const [line, reason] of [
      ['not JSON', 'this line is no request as JSON'],
      ['{"metod":"POST","url":"/users"}', "a request has method, url, headers and body, and no 'metod'"],
    ]) {
      await writeFile(file, `{"url":"/users/1"}\n\n${line}\n`)
      const { code, err } = await command(folder, '--requests', 'requests.jsonl')
      expect(code).toBe(2)
      expect(err).toContain(`requests.jsonl:3: ${reason}`)
    }
  })

  it('refuses methods that HTTP does not have', async () => {
    const { code, err } = await command(await project(USERS), '--methods', 'get, fetch')
    expect([code, err]).toEqual([2, "cloister: --methods has 'FETCH', which is not an HTTP method\n"])
  })

  it.each([
    ['an app', 'export default app'],
    ['a function', 'export function createApp() { return make() }'],
  ])('compares the app that %s gives, also if the file makes another after it', async (_what, exported) => {
    const folder = await project(`import { cloister } from 'cloister'
const make = () => {
  const app = cloister()
  app.get('/:id', () => 'exported')
  const other = cloister()
  return Object.assign(app, { other: () => other })
}
const app = make()
${exported}
`)
    const { code, out } = await command(folder, 'app.mjs', '--out', 'out/app.mjs')
    expect(code).toBe(0)
    expect(Number(/^(\d+) requests/m.exec(out)?.[1])).toBeGreaterThan(0)
  })

  it('replaces no module of the app, and says so', async () => {
    const folder = await project("export { app } from './own.mjs'\n")
    const own =
      "import { cloister } from 'cloister'\nexport const app = cloister()\napp.get('/', () => 'ok')\n"
    await writeFile(path.join(folder, 'own.mjs'), own)
    await symlink(path.join(folder, 'own.mjs'), path.join(folder, 'linked.mjs'))
    for (const out of ['app.mjs', 'own.mjs', './linked.mjs']) {
      const { code, err } = await command(folder, 'app.mjs', '--out', out)
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('is a module of the app') })
    }
    expect(await readFile(path.join(folder, 'own.mjs'), 'utf8')).toBe(own)
    expect(await readFile(path.join(folder, 'app.mjs'), 'utf8')).toBe("export { app } from './own.mjs'\n")
    await mkdir(path.join(folder, 'out'))
    const { code, err } = await command(folder, 'app.mjs', '--out', 'out')
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/is a folder.*--out .*out\/built\.mjs/),
    })
    // An earlier build is replaced.
    for (let count = 0; count < 2; count += 1)
      expect((await command(folder, 'app.mjs', '--out', 'out/built.mjs')).code).toBe(0)
  })

  it('says how to install esbuild where the project has none', async () => {
    const folder = await project(USERS, false)
    const { code, err } = await command(folder)
    expect(code).toBe(3)
    expect(err).toBe(
      'cloister: cloister build needs esbuild, which is not installed: npm install --save-dev esbuild\n',
    )
  })

  it('builds a package of a workspace, whose compiler is above, and whose dependencies have their own elsewhere', async () => {
    const workspace = await mkdtemp(path.join(root, 'workspace-'))
    const folder = path.join(workspace, 'packages/api')
    await mkdir(folder, { recursive: true })
    await addTsx(workspace)
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(path.join(folder, 'app.ts'), USERS)
    const { code, out, err } = await command(folder)
    expect([err, code]).toEqual(['', 0])
    // What the file could not find when it needs it is in it.
    expect(out).not.toContain('imported when first needed')
  })

  it.skipIf(Reflect.get(process.features, 'typescript') === 'strip')(
    'says how to compile TypeScript',
    async () => {
      const folder = await project('')
      await writeFile(path.join(folder, 'app.ts'), USERS)
      const { code, err } = await command(folder, 'app.ts')
      expect(err).toContain('Install a compiler (npm install --save-dev tsx)')
      expect(code).toBe(3)
    },
  )
})
