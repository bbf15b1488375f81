import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repository } from '../../../scripts/lib/run.mjs'
import { createProject } from '../lib/project.ts'
import { socketResults } from '../lib/socket-results.ts'
import type { Project } from '../lib/project.ts'
import { copyRefused, expectRefused } from '../lib/refused.ts'
import { start } from '../lib/start.ts'
import type { Running } from '../lib/start.ts'

/** The conditions under which bundlers for workers choose this build. */
const WORKER_CONDITIONS = ['workerd', 'worker', 'edge-light']

const BUNDLERS = ['esbuild', 'rolldown'] as const
/** The condition that leaves features to imports; the figures of more apps are in `scripts/worker-sizes.json`. */
const LEAN = 'cloister-lean+workerd'
const MAX_BYTES = 600_000
const MAX_BYTES_PACKED = 207_000
const MAX_BYTES_LEAN = 143_000
/** Of the features `formats` and `proxy`. */
const OF_FEATURES = ['ajv-formats/dist/formats.js', '@fastify/proxy-addr/index.js']

/** What workers forbid, or lack without flags. */
const FORBIDDEN = /\beval\)?\(|\bnew Function\b|\bFunction\(|\bcreateRequire\b|\bimport\.meta\b/
/** Packages that only Node needs, and that are large. The rules of messages are those of every transport. */
const FOREIGN =
  /node_modules\/(?:pino|light-my-request|ajv|ajv-formats|@fastify\/proxy-addr|@cloister\/wire(?!\/dist\/message))\/|\/dist\/bundle\/code\.cjs/

interface Bundle {
  readonly imports: readonly string[]
  readonly modules: readonly string[]
}

let project: Project
beforeAll(async () => {
  project = await createProject('workers', 'workers')
  mkdirSync(path.join(project.folder, 'out'))
  for (const example of ['minimal', 'runtimes']) {
    cpSync(
      path.join(repository, 'examples', example, 'src'),
      path.join(project.folder, 'examples', example, 'src'),
      { recursive: true },
    )
  }
  // The package of the run time links its program when it is installed.
  await project.run(['npm', 'rebuild', 'workerd'])
})
afterAll(() => project.remove())

/** Bundles an entry for workers; returns the file and what is in it. */
async function bundle(
  bundler: string,
  entry: string,
  condition = 'workerd',
): Promise<Bundle & { readonly file: string }> {
  const file = `out/${path.dirname(entry).split('/').at(-2) ?? ''}-${path.basename(entry, '.ts')}-${bundler}-${condition}.mjs`
  const command = [process.execPath, 'bundle.mjs', bundler, condition, entry, file]
  const found: Bundle = JSON.parse(await project.run(command))
  return { file, ...found }
}

describe('a worker', () => {
  const cases = BUNDLERS.flatMap((bundler) => WORKER_CONDITIONS.map((condition) => ({ bundler, condition })))

  it.each(cases)('of the minimal example is small and needs no Node: $bundler, $condition', async (given) => {
    const { file, imports, modules } = await bundle(given.bundler, 'minimal.ts', given.condition)
    const code = readFileSync(path.join(project.folder, file))
    expect(code.length).toBeLessThan(MAX_BYTES)
    expect(gzipSync(code).length).toBeLessThan(MAX_BYTES_PACKED)
    expect(FORBIDDEN.exec(code.toString())?.[0]).toBeUndefined()
    expect(imports).toEqual([])
    const foreign = modules.filter((module) => FOREIGN.test(module))
    expect(foreign.map((module) => module.replace(/^.*node_modules\//, ''))).toEqual(OF_FEATURES)
  })

  it.each(BUNDLERS)(
    'of the minimal example has no features with the condition cloister-lean: %s',
    async (bundler) => {
      const { file, modules } = await bundle(bundler, 'minimal.ts', LEAN)
      const code = readFileSync(path.join(project.folder, file))
      expect(gzipSync(code).length).toBeLessThan(MAX_BYTES_LEAN)
      expect(modules.filter((module) => FOREIGN.test(module))).toEqual([])
    },
  )

  it.each(BUNDLERS.flatMap((bundler) => ['workerd', LEAN].map((condition) => ({ bundler, condition }))))(
    'serves the minimal example: $bundler, $condition',
    async ({ bundler, condition }) => {
      const { file } = await bundle(bundler, 'minimal.ts', condition)
      await serving(file, '', async ({ address }) => {
        const response = await fetch(`${address}/hello/world?times=2`)
        expect(await response.json()).toEqual([{ hello: 'world' }, { hello: 'world' }])
        expect((await fetch(`${address}/hello/world?times=many`)).status).toBe(400)
      })
    },
  )
})

describe.each(['', 'nodejs_compat'])('workerd with the flags "%s"', (flags) => {
  it('refuses what Node refuses', async () => {
    copyRefused(project.folder)
    const { file } = await bundle('esbuild', 'refused/worker.ts')
    await serving(file, flags, async ({ address }) => expectRefused(await (await fetch(address)).json()))
  })
})

describe('the example for workers, in workerd', () => {
  let server: Running
  beforeAll(async () => {
    const { file } = await bundle('esbuild', 'examples/runtimes/src/worker.ts')
    server = await start([process.execPath, 'serve.mjs', file], project.folder)
  })
  afterAll(() => server.stop())

  const post = (body: object): Promise<Response> =>
    fetch(`${server.address}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  it('boots once for the requests that come first, all at a time', async () => {
    const responses = await Promise.all([1, 1, 0].map((id) => fetch(`${server.address}/users/${id}`)))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 400])
  })

  it('responds and refuses by schema, with its users in D1', async () => {
    const created = await post({ id: '2', name: 'grace', secret: 'never sent' })
    expect([created.status, await created.json()]).toEqual([201, { id: 2, name: 'grace' }])
    const found = await fetch(`${server.address}/users/2`)
    expect([found.status, await found.json()]).toEqual([200, { id: 2, name: 'grace' }])
    const refused = await post({ id: 3 })
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { message: "body must have required property 'name'" },
    ])
    expect((await fetch(`${server.address}/users/9`)).status).toBe(404)
  })

  it('hands bindings and waitUntil to handlers', async () => {
    const greeting = await fetch(`${server.address}/greeting`, {
      headers: { 'cf-connecting-ip': '192.0.2.1' },
    })
    expect(await greeting.json()).toEqual({ greeting: 'hello' })
    await expect
      .poll(async () => (await fetch(`${server.address}/visits/last`)).json(), { timeout: 10_000 })
      .toEqual({ from: '192.0.2.1' })
  })
})

describe.each([
  { how: 'without flags', flags: '', hasNode: false },
  { how: 'with nodejs_compat', flags: 'nodejs_compat', hasNode: true },
])('workerd $how', ({ flags, hasNode }) => {
  let server: Running
  beforeAll(async () => {
    const { file } = await bundle('rolldown', 'probe.ts')
    server = await start([process.execPath, 'serve.mjs', file, flags], project.folder)
  })
  afterAll(() => server.stop())

  const get = (target: string): Promise<Response> => fetch(`${server.address}${target}`)
  const post = (type: string, body: string | ReadableStream): Promise<Response> =>
    fetch(`${server.address}/body`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
      ...(typeof body === 'string' ? {} : { duplex: 'half' }),
    })

  it('has what a plugin registers while the script loads', async () => {
    expect(await (await get('/plugin')).text()).toBe('registered')
  })

  it('sends several cookies', async () => {
    expect((await get('/cookies')).headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it('sends streams and the responses of applications', async () => {
    expect(await (await get('/stream')).text()).toBe('part 0;part 1;part 2;')
    const response = await get('/response')
    expect([response.status, await response.text()]).toEqual([202, 'made by the application'])
    expect((await get('/broken-stream')).status).toBe(500)
  })

  it('reads bodies that come in pieces', async () => {
    const pieces = new Blob(['one ', 'two']).stream()
    expect(await (await post('application/x-bytes', pieces)).json()).toEqual({
      isBuffer: hasNode,
      text: 'one two',
    })
  })

  it('hands a stream to parsers', async () => {
    expect(await (await post('application/x-stream', '12345')).json()).toEqual({ length: 5 })
  })

  it('reads a body whose stream a hook hands back', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"für":[1]}' }
    const response = await fetch(`${server.address}/handed-back`, init)
    expect(await response.json()).toEqual({ für: [1] })
  })

  it('reads forms with files', async () => {
    const form = new FormData()
    form.append('name', 'ada')
    form.append('file', new File(['content'], 'a.txt', { type: 'text/plain' }))
    const response = await fetch(`${server.address}/form`, { method: 'POST', body: form })
    expect(await response.json()).toEqual({ name: 'ada', file: 'a.txt', type: 'text/plain', text: 'content' })
  })

  it.runIf(!hasNode)('fails a parser that pipes its stream with an error that names it', async () => {
    expect(await (await post('application/x-piped', '12345')).json()).toMatchObject({
      code: 'CLO_ERR_TRANSPORT_UNSUPPORTED',
      message: expect.stringContaining('nodejs_compat'),
    })
  })

  it('opens WebSockets, with the close codes of Node', async () => {
    const results = await socketResults(server.address)
    expect(results).toMatchObject({
      messages: [expect.any(String), '{"text":"blue: one"}', '{"text":"blue: two"}', '1000 '],
      'a wrong message': expect.arrayContaining(['1008 message 1: /text must be string']),
      'no JSON': expect.arrayContaining(['1007 message 1: is no JSON']),
      bytes: expect.arrayContaining(['1003 message 1: is binary; messages are JSON, as text']),
      'a large message': expect.arrayContaining(['1009 ']),
      'a handler that fails': expect.arrayContaining(['1011 the handler failed']),
      'another origin': ['Unexpected server response: 403', '1006 '],
    })
    expect(results['many messages']).toHaveLength(102)
  })

  it('sends errors, and handlers that take too long', async () => {
    expect(await (await get('/error')).json()).toMatchObject({ statusCode: 500, message: 'a mistake' })
    expect(await (await get('/slow')).json()).toMatchObject({ code: 'CLO_ERR_HANDLER_TIMEOUT' })
    const head = await fetch(`${server.address}/plugin`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it.each([
    ['/raw', 'CLO_ERR_RAW_UNAVAILABLE', 'request.raw'],
    ['/listen', 'CLO_ERR_TRANSPORT_UNSUPPORTED', 'app.listen'],
    ['/inject', 'CLO_ERR_TRANSPORT_UNSUPPORTED', 'app.inject'],
  ])('fails %s with an error that names what a worker does not have', async (target, code, member) => {
    expect(await (await get(target)).json()).toMatchObject({ code, message: expect.stringContaining(member) })
  })

  it.each([
    ['async', 'CLO_ERR_SCH_VALIDATION_BUILD', 'the build for workers has no Ajv'],
    ['keywords', 'CLO_ERR_SCH_VALIDATION_BUILD', 'the build for workers has no Ajv'],
    ['redact', 'CLO_ERR_LOG_OPTION_UNAVAILABLE', 'logger.redact'],
  ])('does not boot an app that needs %s', async (name, code, words) => {
    expect(await (await get(`/boots/${name}`)).json()).toMatchObject({
      code,
      message: expect.stringContaining(words),
    })
  })
})

async function serving(file: string, flags: string, use: (server: Running) => Promise<void>): Promise<void> {
  const server = await start([process.execPath, 'serve.mjs', file, flags], project.folder)
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}
