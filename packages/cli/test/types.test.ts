import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { run } from '../src/run.ts'

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const app = here('./fixtures/types.mjs')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cli-types-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Writes the types of the app. */
async function typesOf(...args: string[]): Promise<string> {
  await run(['types', '--app', app, ...args], folder)
  return readFile(path.join(folder, 'api.d.ts'), 'utf8')
}

/** Returns the row of a route. */
function rowOf(text: string, key: string): string {
  const start = text.indexOf(`  '${key}': `)
  const row = text.slice(start, text.indexOf('\n  }\n', start))
  return row.replaceAll(/\s+/g, ' ').trim()
}

describe('cloister types', () => {
  it('writes a file, the same on a second run, that --check finds up to date', async () => {
    const first = await run(['types', '--app', app], folder)
    expect(first).toMatchObject({ code: 0, output: 'wrote api.d.ts\n' })
    const text = await readFile(path.join(folder, 'api.d.ts'), 'utf8')
    expect(await run(['types', '--app', app], folder)).toMatchObject({ output: 'api.d.ts is up to date\n' })
    expect(await readFile(path.join(folder, 'api.d.ts'), 'utf8')).toBe(text)
    expect(await run(['types', '--app', app, '--check'], folder)).toMatchObject({ code: 0 })
  })

  it('--check ends with 1 and gives the command that refreshes the file', async () => {
    const missing = await run(['types', '--app', app, '--check', '--out', 'src/api.d.ts'], folder)
    expect(missing).toMatchObject({
      code: 1,
      errors: expect.stringContaining(
        `src/api.d.ts does not exist; write it with: cloister types --app ${app} --out src/api.d.ts\n`,
      ),
    })
    await writeFile(path.join(folder, 'api.d.ts'), 'export interface Api {}\n')
    const stale = await run(['types', '--app', app, '--check'], folder)
    expect(stale.code).toBe(1)
    expect(stale.errors).toContain(
      `api.d.ts differs from the app in line 1; write it with: cloister types --app ${app}\n`,
    )
  })

  it('names the route and call site of what has no known type', async () => {
    const { errors } = await run(['types', '--app', app], folder)
    expect(errors.split('\n')).toEqual([
      expect.stringMatching(
        /^cloister: GET \/plain \(.*types\.mjs:\d+\): unknown type in its successful responses: no schema describes them; add schema\.response\[200\]$/,
      ),
      expect.stringMatching(
        /^cloister: PUT \/zod \(.*types\.mjs:\d+\): unknown type in response 400: the library 'own' offers no JSON Schema of it$/,
      ),
      '',
    ])
  })

  it('writes params, query, headers and body of requests', async () => {
    const text = await typesOf()
    expect(rowOf(text, 'GET /users/:id')).toContain('params: { id: number }')
    expect(rowOf(text, 'DELETE /users/:id')).toContain('params: { id: string | number }')
    expect(rowOf(text, 'GET /users')).toContain(
      'query?: { page?: number | undefined; tags?: string[] | undefined }',
    )
    expect(rowOf(text, 'POST /users')).toContain(
      "headers: { 'x-trace'?: string | undefined } body: Inputs['user']",
    )
    expect(rowOf(text, 'PUT /zod')).toContain('body: { name: string; size?: number | undefined }')
    expect(rowOf(text, 'PUT /any')).toContain('content: { type?: string; body?: unknown }')
    expect(rowOf(text, 'GET /at/:hour()h:minute')).toContain(
      'params: { hour: string | number; minute: string | number }',
    )
    expect(rowOf(text, 'GET /versions version=1.2.0')).toContain(
      "content: { headers: { 'accept-version': '1.2.0' } }",
    )
  })

  it('writes replies by status, class and media type', async () => {
    const text = await typesOf()
    expect(rowOf(text, 'GET /users/:id')).toContain(
      "200: Schemas['user'] 404: { message: string } '4xx': Failure '5xx': { oops?: boolean }",
    )
    expect(rowOf(text, 'GET /users')).toContain("'2xx': Schemas['user'][]")
    expect(rowOf(text, 'POST /users')).toContain("default: 'no' | number | null")
    expect(rowOf(text, 'PUT /zod')).toContain('200: { id: number; size: number } 400: unknown')
    expect(rowOf(text, 'DELETE /users/:id')).toContain('204: undefined')
    expect(rowOf(text, 'GET /events')).toContain('200: Events<{ n: number }>')
    expect(rowOf(text, 'POST /lines')).toContain(
      "{ type: 'application/x-ndjson'; body: ({ n: number })[] | AsyncIterable<{ n: number }> | RawBody }",
    )
    expect(rowOf(text, 'POST /lines')).toContain('200: Items<{ n: number }>')
    expect(rowOf(text, 'GET /chat/:room')).toContain(
      'messages: { incoming: { text: string }; outgoing: { id: number; text: string } }',
    )
    expect(rowOf(text, 'GET /files/*')).toContain('200: ReadableStream<Uint8Array<ArrayBuffer>>')
    expect(text).toContain("  'HEAD /users': Head<Api['GET /users']>\n")
  })

  it('writes the refusals of the guards of a route, unless its schemas have the status', async () => {
    const text = await typesOf()
    expect(rowOf(text, 'GET /guarded')).toContain(
      "200: string 401: Failure 403: { why: string } 429: unknown '4xx': Failure",
    )
    expect(rowOf(text, 'GET /guarded/own')).toContain('401: Failure 403: string 429: unknown')
    expect(rowOf(text, 'GET /guarded/plain')).toContain('replies: { default: { why: string } }')
  })

  it('resolves references in the context of the route, also those to themselves', async () => {
    const text = await typesOf()
    expect(rowOf(text, 'GET /a/tags')).toContain("200: Schemas['tag'][]")
    expect(rowOf(text, 'GET /b/tags')).toContain("200: Schemas['tag_2'][]")
    expect(rowOf(text, 'GET /names')).toContain('200: string')
    expect(text).toContain('\n  tag: string\n  tag_2: boolean\n')
    expect(rowOf(text, 'GET /tree')).toContain("200: Schemas['GET /tree.node']")
    expect(text).toContain("'GET /tree.node': { children?: Schemas['GET /tree.node'][] }")
    expect(text).toContain(
      "  /** A person. */\n  user: { id: number; /** as shown */ name: string; role: 'admin' | 'guest'; born?: string; friend?: Schemas['user']; address?: Schemas['user.address'] }",
    )
    expect(text).toContain(
      "role?: 'admin' | 'guest' | undefined; born?: string | undefined; friend?: Inputs['user'] | undefined",
    )
  })

  it('omits hidden routes and methods that fetch refuses', async () => {
    const text = await typesOf()
    expect(text).not.toContain('/hidden')
    expect(text).not.toContain("'TRACE ")
    expect(text).toContain("'PUT /any'")
  })

  it('lists a route with and without a slash at its end once', async () => {
    const text = await typesOf()
    expect(rowOf(text, 'GET /notes')).toContain('200: string')
    expect(text).toContain("  'HEAD /notes': Head<Api['GET /notes']>\n")
    expect(text).not.toContain('/notes/')
  })

  it('adds the errors that no schema names, unless --no-failures is given', async () => {
    const text = await typesOf()
    expect(text).toContain("import type { Events, Failure, Head, Items, RawBody } from '@cloister/client'")
    expect(rowOf(text, 'GET /a/tags')).toContain("200: Schemas['tag'][] '4xx': Failure '5xx': Failure")
    expect(rowOf(text, 'GET /users/:id')).toContain("404: { message: string } '4xx': Failure '5xx': { oops")
    expect(rowOf(text, 'POST /users')).not.toContain('Failure')
    const stated = rowOf(text, 'GET /guarded').match(/\d+: Failure/g)
    expect(stated).toEqual(['401: Failure'])
    expect((await typesOf('--no-failures')).match(/\w+'?: Failure/g)).toEqual([
      '401: Failure',
      '401: Failure',
    ])
    await typesOf()
  })
})

/** Uses of the client that must have no error, or the one that is named. */
const USES: readonly { readonly what: string; readonly code: string; readonly error?: string }[] = [
  {
    what: 'an exact status narrows the body',
    code: `const one = await api('GET /users/:id', { params: { id: 1 } })
      if (one.status === 200) one.body.friend?.name.length
      else if (one.status === 404) same<typeof one.body, { message: string }>()
      if (one.status === 503) same<typeof one.body, { oops?: boolean }>()
      if (one.ok) same<typeof one.status, 200>()`,
  },
  {
    what: 'a class narrows the body, and default has the rest',
    code: `const list = await api('GET /users', { query: { tags: ['a'] } })
      if (list.ok) same<typeof list.body, Schemas['user'][]>()
      const made = await api('POST /users', { body: { id: 1, name: 'x' } })
      if (made.status === 201) same<typeof made.body, Schemas['user']>()
      if (made.status === 409 || made.status === 200) same<typeof made.body, 'no' | number | null>()
      if (made.ok) same<typeof made.body, Schemas['user']>()`,
  },
  {
    what: 'a refusal of a guard has the body that the guard states',
    code: `const guarded = await api('GET /guarded')
      if (guarded.status === 401) same<typeof guarded.body, Failure>()
      if (guarded.status === 403) same<typeof guarded.body, { why: string }>()
      if (guarded.status === 429) same<typeof guarded.body, unknown>()`,
  },
  {
    what: 'a body that another refusal has',
    code: `const guarded = await api('GET /guarded')
      if (guarded.status === 401) guarded.body.why`,
    error: "Property 'why' does not exist on type",
  },
  {
    what: 'what has a default may be left out of a request, and is in a response',
    code: `const put = await api('PUT /zod', { body: { name: 'x' } })
      if (put.status === 200) same<typeof put.body.size, number>()`,
  },
  {
    what: 'a date is a text, and the rest of its part keeps its types',
    code: `const { ok, body } = await api('GET /dates', { query: { from: '2026-01-01T00:00:00Z', page: 1 } })
      if (ok) same<typeof body, { at: string; n: number }>()`,
  },
  {
    what: 'what may be left out may be undefined',
    code: `const page: number | undefined = undefined
      await api('GET /users', { query: { page } })
      await api('PUT /zod', { body: { name: 'x', size: undefined } })`,
  },
  {
    what: 'items are iterated, and given as a list or one after the other',
    code: `const items = await api('POST /lines', { type: 'application/x-ndjson', body: [{ n: 1 }] })
      if (items.ok) for await (const item of items.body) same<typeof item, { n: number }>()
      await api('POST /lines', { type: 'application/x-ndjson', body: (async function* () { yield { n: 1 } })() })`,
  },
  {
    what: 'messages of a socket have types both ways',
    code: `const chat = api.ws('GET /chat/:room', { params: { room: 'x' }, query: { since: undefined } })
      await chat.send({ text: 'hello' })
      for await (const message of chat) same<typeof message, { id: number; text: string }>()
      same<Awaited<typeof chat.closed>['code'], number>()`,
  },
  {
    what: 'a message of the wrong type',
    code: `await api.ws('GET /chat/:room', { params: { room: 'x' } }).send({ txt: 'hello' })`,
    error: "'txt' does not exist in type",
  },
  {
    what: 'a socket of a route that has none',
    code: `api.ws('GET /users', {})`,
    error: `'"GET /users"' is not assignable to parameter`,
  },
  {
    what: 'an item of the wrong type',
    code: `await api('POST /lines', { type: 'application/x-ndjson', body: [{ n: 'x' }] })`,
    error: "Type 'string' is not assignable to type 'number'.",
  },
  {
    what: 'a body that an error would not have',
    code: `const names = await api('GET /names')
      names.body.toUpperCase()`,
    error: "Property 'toUpperCase' does not exist on type",
  },
  { what: 'nothing need be given where nothing is required', code: `await api('GET /users')` },
  {
    what: 'a reply without content has no body',
    code: `const gone = await api('DELETE /users/:id', { params: { id: '3' } })
      if (gone.ok) same<typeof gone.body, undefined>()
      if (gone.ok) same<typeof gone.status, 204>()
      const head = await api('HEAD /users/:id', { params: { id: 3 } })
      if (head.ok) same<typeof head.body, undefined>()`,
  },
  {
    what: 'forms go as objects of the platform or as values',
    code: `const form = new FormData()
      await api('POST /files', { body: form })
      await api('POST /files', { type: 'multipart/form-data', body: { title: 'x', file: new Blob() } })
      await api('POST /files', { type: 'application/x-www-form-urlencoded', body: { title: 'x' } })
      await api('POST /files', { type: 'text/csv', body: 'a,b' })
      await api('POST /files', { body: { name: 'x' } })`,
  },
  {
    what: 'events are iterated, files are streams',
    code: `const events = await api('GET /events')
      if (events.ok) for await (const { data } of events.body) same<typeof data, { n: number }>()
      const file = await api('GET /files/*', { params: { '*': 'a/b.txt' } })
      if (file.ok) same<typeof file.body, ReadableStream<Uint8Array<ArrayBuffer>>>()`,
  },
  {
    what: 'headers and settings of fetch are for every call',
    code: `await api('GET /users', { headers: { 'x-any': 1 }, signal: AbortSignal.timeout(1), credentials: 'omit' })
      await api('POST /users', { headers: { 'x-trace': 'a' }, body: { id: 1, name: 'x' } })
      await api('GET /versions version=1.2.0', { headers: { 'accept-version': '1.2.0' } })`,
  },
  {
    what: 'a wrong path',
    code: `await api('GET /user')`,
    error: `'"GET /user"' is not assignable to parameter`,
  },
  {
    what: 'a missing parameter',
    code: `await api('GET /users/:id')`,
    error: 'Expected 2 arguments, but got 1.',
  },
  {
    what: 'a parameter of the wrong type',
    code: `await api('GET /users/:id', { params: { id: 'x' } })`,
    error: "Type 'string' is not assignable to type 'number'.",
  },
  {
    what: 'a misspelt property of the body',
    code: `await api('PUT /zod', { body: { nam: 'x' } })`,
    error: "but 'nam' does not exist in type",
  },
  {
    what: 'a query of the wrong type',
    code: `await api('GET /users', { query: { page: 'x' } })`,
    error: "Type 'string' is not assignable to type 'number'.",
  },
  {
    what: 'a status that the route does not have',
    code: `const one = await api('GET /users/:id', { params: { id: 1 } })
      if (one.status === 201) one.body`,
    error: 'This comparison appears to be unintentional',
  },
  {
    what: 'a body before its status is known',
    code: `const one = await api('GET /users/:id', { params: { id: 1 } })
      one.body.name`,
    error: "Property 'name' does not exist on type",
  },
  {
    what: 'a media type that the route does not take',
    code: `await api('POST /files', { type: 'text/html', body: 'x' })`,
    error: `Type '"text/html"' is not assignable to type`,
  },
  {
    what: 'a version without its header',
    code: `await api('GET /versions version=1.2.0')`,
    error: 'Expected 2 arguments, but got 1.',
  },
]

const PREAMBLE = `import { client, type Failure } from '@cloister/client'
import type { Api, Schemas } from './api.d.ts'
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare function same<A, B>(...x: Equal<A, B> extends true ? [] : [{ got: A; want: B }]): void
declare const schemas: Schemas
const api = client<Api>('http://127.0.0.1:3000')
export { api, same, schemas, type Failure }
`

describe('the client with these types', () => {
  let errors: Map<string, string>

  beforeAll(async () => {
    await typesOf()
    const files = USES.map((_, index) => `use-${index}.ts`)
    await Promise.all(
      USES.map(({ code }, index) => writeFile(path.join(folder, `use-${index}.ts`), PREAMBLE + code)),
    )
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: [],
      module: 'esnext',
      moduleResolution: 'bundler',
      moduleDetection: 'force',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      paths: { '@cloister/client': [here('../../client/src/index.ts')] },
    }
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const tsc = here('../../../node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
      encoding: 'utf8',
      timeout: 60_000,
    })
    errors = new Map()
    let file = ''
    for (const line of stdout.split('\n')) {
      file = /(use-\d+|api\.d)\.ts\(/.exec(line)?.[1] ?? file
      errors.set(file, `${errors.get(file) ?? ''}${line}\n`)
    }
  })

  it('compiles', () => {
    expect(errors.get('api.d')).toBeUndefined()
  })

  it.each(USES.map((use, index) => ({ ...use, file: `use-${index}` })))('$what', ({ file, error }) => {
    const found = errors.get(file)?.trimEnd()
    if (error === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(error)
  })
})

const library = `
openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths:
  /books/{id}:
    put:
      operationId: replaceBook
      summary: Replaces a book.
      security: [{ token: [] }]
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
        - { name: theme, in: cookie, schema: { type: string, default: light } }
      requestBody:
        content:
          application/json: { schema: { $ref: '#/components/schemas/Book' } }
          multipart/form-data:
            schema: { type: object, properties: { cover: { type: string, format: binary } } }
      responses:
        '200':
          description: The book
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
        '404': { description: No such book }
components:
  schemas:
    Book:
      type: object
      required: [title]
      properties:
        title: { type: string }
        pages: { type: integer, default: 1 }
        note: { type: string, nullable: true }
        next: { $ref: '#/components/schemas/Book' }
  securitySchemes: { token: { type: http, scheme: bearer } }
`

describe('cloister types --from', () => {
  const from = (...args: string[]): ReturnType<typeof run> =>
    run(['types', '--from', 'openapi.yaml', ...args], folder)

  it('writes the document with the types of its operations, as handlers get and send them', async () => {
    await writeFile(path.join(folder, 'openapi.yaml'), library)
    expect(await from()).toMatchObject({ code: 0, output: 'wrote api.ts\n' })
    expect(await from('--check')).toMatchObject({ code: 0, output: 'api.ts is up to date\n' })
    const text = await readFile(path.join(folder, 'api.ts'), 'utf8')
    const plain = text.replaceAll(/\s+/g, ' ')
    for (const expected of [
      "import type { FormFile } from 'cloister'",
      '/** Replaces a book. */ replaceBook: { schema: { params: Typed<{ id: number }>',
      'cookies: Typed<{ theme: string }>',
      "'application/json': { schema: Typed<Parsed['Book']> }",
      "'multipart/form-data': { schema: Typed<{ cover?: FormFile }> } }; required: false }",
      "'200': { content: { 'application/json': { schema: Typed<Inputs['Book']> } } } '404': Typed<null | undefined>",
      "Book: { title: string; pages: number; note?: string | null; next?: Parsed['Book'] }",
      "Book: { title: string; pages?: number | undefined; note?: string | null | undefined; next?: Inputs['Book'] | undefined }",
      'export const document: TypedDocument<Operations, \'token\'> = { "openapi": "3.0.3"',
    ]) {
      expect(plain).toContain(expected)
    }
  })

  it('says what is wrong with a document, and with its file', async () => {
    await writeFile(path.join(folder, 'openapi.yaml'), library.replace('schemas/Book', 'schemas/Bok'))
    expect(await from()).toMatchObject({
      code: 1,
      errors: expect.stringContaining('"$ref": "#/components/schemas/Bok" leads nowhere'),
    })
    expect(await run(['types', '--from', 'none.yaml'], folder)).toMatchObject({
      code: 3,
      errors: expect.stringContaining('none.yaml cannot be read'),
    })
    await writeFile(path.join(folder, 'openapi.yaml'), 'swagger: "2.0"')
    expect(await from()).toMatchObject({ code: 3 })
  })
})
