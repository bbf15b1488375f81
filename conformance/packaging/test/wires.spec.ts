import { createHash } from 'node:crypto'
import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject } from '../lib/project.ts'
import type { Project } from '../lib/project.ts'
import { start } from '../lib/start.ts'
import type { Running } from '../lib/start.ts'

const DENO_FLAGS = ['--allow-net', '--allow-env', '--allow-read', '--node-modules-dir=manual']
const FIXTURES = path.resolve(import.meta.dirname, '../fixtures')
const FAILURE = '{"statusCode":500,"error":"Internal Server Error","message":"Internal Server Error"}'
const WORKER = 'out/worker.mjs'

interface RunTime {
  readonly name: string
  /** the folder with what is installed for it */
  readonly tools: string | null
  /** packages whose programs are linked when they are installed */
  readonly programs: readonly string[]
  readonly command: readonly string[]
  /** whether a file above `bodyLimit` streams, or the platform keeps the whole form */
  readonly streamsForms: boolean
  /** whether the server says that a response was cut, and that its client has left */
  readonly tellsEnds: boolean
}

const common = { tools: null, programs: [], streamsForms: true, tellsEnds: true } as const
const worker = {
  ...common,
  tools: 'workers',
  programs: ['workerd'],
  streamsForms: false,
  tellsEnds: false,
}

const RUN_TIMES: readonly RunTime[] = [
  { ...common, name: 'Node', command: [process.execPath, 'node.mjs'] },
  {
    ...common,
    name: 'Bun.serve',
    tools: 'runtimes',
    programs: ['bun'],
    command: ['node_modules/.bin/bun', 'bun.mjs'],
  },
  {
    ...common,
    name: 'Deno.serve',
    tools: 'runtimes',
    programs: ['deno'],
    command: ['node_modules/.bin/deno', 'run', ...DENO_FLAGS, 'deno.mjs'],
  },
  { ...worker, name: 'workerd', command: [process.execPath, 'serve.mjs', WORKER] },
  {
    ...worker,
    name: 'workerd with nodejs_compat',
    command: [process.execPath, 'serve.mjs', WORKER, 'nodejs_compat'],
  },
]

describe.each(RUN_TIMES)('every body and response, over $name', (runTime) => {
  let project: Project
  let server: Running
  beforeAll(async () => {
    project = await createProject(runTime.tools, 'wires')
    if (runTime.programs.length > 0) await project.run(['npm', 'rebuild', ...runTime.programs])
    if (runTime.tools === 'workers') await bundleWorker(project)
    const [program = '', ...args] = runTime.command
    const isOwn = program.startsWith('node_modules')
    server = await start([isOwn ? path.join(project.folder, program) : program, ...args], project.folder)
  })
  afterAll(async () => {
    await server.stop()
    project.remove()
  })

  const get = (target: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.address}${target}`, { headers })
  const post = (
    target: string,
    body: string | FormData | URLSearchParams,
    type?: string,
  ): Promise<Response> =>
    fetch(`${server.address}${target}`, {
      method: 'POST',
      body,
      headers: type === undefined ? {} : { 'content-type': type },
    })

  it.each([
    ['/events', 'id: 1\ndata: {"n":1}\n\nid: 2\ndata: {"n":2}\n\n'],
    ['/lines', '{"n":1}\n{"n":2}\n'],
    ['/records', '\u001E{"n":1}\n\u001E{"n":2}\n'],
  ])('writes the items of %s by their schema', async (target, text) => {
    expect(await (await get(target)).text()).toBe(text)
  })

  it('has no length where a HEAD request asks for a stream', async () => {
    const head = await fetch(`${server.address}/lines`, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, null, ''])
  })

  it('hands the id of the last event to the generator', async () => {
    const response = await get('/events', { 'last-event-id': '7' })
    expect(await response.text()).toContain('id: 8\ndata: {"n":8}')
  })

  it('sends what a generator sends before its first item', async () => {
    const response = await get('/missing')
    expect([response.status, await response.json()]).toEqual([404, { message: 'no such list' }])
  })

  it('ends a stream at an item that does not fit its schema', async () => {
    const events = await (await get('/wrong-event')).text()
    expect(events).toBe(`data: {"n":1}\n\nevent: error\ndata: ${FAILURE}\n\n`)
    const lines = get('/wrong-item').then((response) => response.text())
    if (runTime.tellsEnds) await expect(lines).rejects.toThrow()
    else expect(await lines).toBe('{"n":1}\n')
  })

  it.runIf(runTime.tellsEnds)('ends the generator when the client disconnects', async () => {
    const leaving = new AbortController()
    const response = await fetch(`${server.address}/endless`, { signal: leaving.signal })
    const reader = response.body?.getReader()
    await reader?.read()
    leaving.abort()
    await expect.poll(async () => (await get('/ended')).json(), { timeout: 20_000 }).toEqual(['endless'])
  })

  it('reads lines as validated items', async () => {
    const summed = await post('/sum', '{"n":1}\n{"n":2}\n', 'application/x-ndjson')
    expect(await summed.json()).toEqual({ sum: 3 })
    const refused = await post('/sum', '{"n":1}\n{"n":"x"}\n', 'application/x-ndjson')
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { message: 'item 2: body/n must be integer' },
    ])
  })

  it('validates a form with a file', async () => {
    const form = new FormData()
    form.append('age', '41')
    form.append('tags', 'a')
    form.append('tags', 'b')
    form.append('photo', new File(['pixels'], 'a.png', { type: 'image/png' }))
    const taken = await post('/form', form)
    expect([taken.status, await taken.json()]).toEqual([
      200,
      { age: 41, tags: ['a', 'b'], name: 'a.png', type: 'image/png', text: 'pixels' },
    ])
  })

  it.each([
    ['a field that does not fit', { age: 'old' }, ['photo', 'image/png', 1], 400, 'body/age must be integer'],
    [
      'a file of another type',
      { age: '1' },
      ['photo', 'text/plain', 1],
      400,
      "the file 'photo' is of the type",
    ],
    ['a file that is too long', { age: '1' }, ['photo', 'image/png', 1001], 413, 'maxLength'],
    [
      'a file that is not declared',
      { age: '1' },
      ['other', 'image/png', 1],
      400,
      "the file 'other' is not declared",
    ],
    ['a missing file', { age: '1' }, null, 400, "required property 'photo'"],
  ] as const)('refuses a form with %s', async (_what, values, file, status, words) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(values)) form.append(name, value)
    if (file !== null) {
      const [name, type, length] = file
      form.append(name, new File(['x'.repeat(length)], 'a', { type }))
    }
    const refused = await post('/form', form)
    expect([refused.status, await refused.json()]).toMatchObject([
      status,
      { message: expect.stringContaining(words) },
    ])
  })

  it('refuses a form that is cut', async () => {
    const head = '--b\r\nContent-Disposition: form-data; name="age"\r\n\r\n1'
    const refused = await post('/form', head, 'multipart/form-data; boundary=b')
    expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'CLO_ERR_FORM_INVALID' }])
    expect((await post('/form', head, 'multipart/form-data')).status).toBe(400)
  })

  it('streams a file that is longer than bodyLimit, or says that it is too long', async () => {
    const form = new FormData()
    // workerd reads 64 KiB more of a refused body, and cuts the connection of a client that sends on.
    const length = runTime.streamsForms ? 5_000_000 : 50_000
    form.append('file', new File(['x'.repeat(length)], 'a'))
    const response = await post('/upload', form)
    expect([response.status, await response.json()]).toMatchObject(
      runTime.streamsForms
        ? [200, { length }]
        : [413, { code: 'CLO_ERR_FORM_TOO_LARGE', message: expect.stringContaining('bodyLimit') }],
    )
    const small = new FormData()
    small.append('file', new File(['x'.repeat(500)], 'a'))
    expect(await (await post('/upload', small)).json()).toEqual({ length: 500 })
  })

  it('validates the fields of a simple form', async () => {
    expect(await (await post('/fields', new URLSearchParams({ age: '41' }))).json()).toEqual({ age: 41 })
    expect((await post('/fields', new URLSearchParams({ age: 'old' }))).status).toBe(400)
  })

  it('keeps the bytes of a body beside its value', async () => {
    const body = '{ "n" : 3 }'
    const digest = [...createHash('sha256').update(body).digest().subarray(0, 4)]
    expect(await (await post('/signed', body, 'application/json')).json()).toEqual({ n: 3, digest })
    expect((await post('/signed', '{"n":"x"}', 'application/json')).status).toBe(400)
  })

  it('mounts a handler of the web platform', async () => {
    const response = await post('/mounted/a', '{"not json', 'application/json')
    expect([response.status, await response.json()]).toEqual([201, { text: '{"not json' }])
  })

  it('refuses a request for a socket that is no handshake', async () => {
    expect((await get('/socket')).status).toBe(426)
  })
})

async function bundleWorker(project: Project): Promise<void> {
  for (const name of ['bundle.mjs', 'serve.mjs']) {
    cpSync(path.join(FIXTURES, 'workers', name), path.join(project.folder, name))
  }
  mkdirSync(path.join(project.folder, 'out'))
  await project.run([process.execPath, 'bundle.mjs', 'esbuild', 'workerd', 'worker.mjs', WORKER])
}
