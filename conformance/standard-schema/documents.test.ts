// The columns "types", "OpenAPI" and "client" of the table.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { run } from '@cloister/cli'
import { client } from '@cloister/client'
import type { Client } from '@cloister/client'
import { openApiDocument } from '@cloister/openapi'
import { toFetch } from 'cloister/fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createApp } from './every-library.ts'
import { LIBRARY_NAMES, PARTS, pathOf, TYPE_CELLS } from './libraries.ts'
import type { Library, Part } from './libraries.ts'

const cells = LIBRARY_NAMES.flatMap((library) => PARTS.map((part) => ({ library, part })))

describe('what the compiler knows', () => {
  it.each(cells)('of $part in $library', ({ library, part }) => {
    expect(TYPE_CELLS[library][part]).toBe(true)
  })
})

const app = createApp()
let folder: string
let rows: string
beforeAll(async () => {
  await app.ready()
  folder = await mkdtemp(path.join(tmpdir(), 'standard-schema-'))
  await run(['types', '--app', fileURLToPath(new URL('every-library.ts', import.meta.url))], folder)
  rows = await readFile(path.join(folder, 'api.d.ts'), 'utf8')
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const parameter = (where: string, name: unknown, type: object): object => ({
  in: where,
  name,
  required: true,
  schema: expect.objectContaining(type),
})
const json = (properties: object, required: readonly string[]): unknown => ({
  'application/json': {
    schema: expect.objectContaining({
      type: 'object',
      properties,
      required: expect.arrayContaining([...required]),
    }),
  },
})

/** What the operation of each route has. */
type Check = (operation: Readonly<Record<string, unknown>>, library: Library) => void
const DOCUMENTED: Readonly<Record<Part, Check>> = {
  params: ({ parameters }) => expect(parameters).toContainEqual(parameter('path', 'id', { type: 'integer' })),
  querystring: ({ parameters }) => {
    expect(parameters).toContainEqual(parameter('query', 'page', { type: 'number' }))
    expect(parameters).toContainEqual(
      parameter('query', 'tags', { type: 'array', items: { type: 'string' } }),
    )
    expect(parameters).toContainEqual(parameter('query', 'on', { type: 'boolean' }))
  },
  headers: ({ parameters }) =>
    expect(parameters).toContainEqual(parameter('header', 'X-Count', { type: 'number' })),
  body: ({ requestBody }) =>
    expect(requestBody).toEqual({
      required: true,
      content: json(
        {
          name: expect.objectContaining({ type: 'string', minLength: expect.any(Number) }),
          age: expect.objectContaining({ type: 'number' }),
        },
        ['name', 'age'],
      ),
    }),
  // Effect Schema gives no format for dates.
  response: ({ responses }, library) =>
    expect(Object(responses)[200].content).toEqual(
      json(
        {
          email: expect.objectContaining({ type: 'string' }),
          at: expect.objectContaining({
            type: 'string',
            ...(library === 'Effect Schema' ? {} : { format: 'date-time' }),
          }),
          n: expect.objectContaining({ type: 'number' }),
        },
        ['email', 'at', 'n'],
      ),
    ),
}

describe('the OpenAPI document', () => {
  it.each(cells)('has $part of $library', ({ library, part }) => {
    const { paths } = openApiDocument(app)
    DOCUMENTED[part](Object(paths[`${pathOf(library)}/{id}`])['post'], library)
  })
})

/** What the row of each route has. */
const TYPED: Readonly<Record<Part, RegExp>> = {
  params: /params: \{ id: number \}/,
  querystring: /query: (?=\{[^}]*page: number)(?=\{[^}]*tags: string\[\])(?=\{[^}]*on: boolean)/,
  headers: /headers: \{ 'x-count': number \}/,
  body: /body: (?=\{[^}]*name: string)(?=\{[^}]*age: number)/,
  response: /200: (?=\{[^}]*email: string)(?=\{[^}]*at: string)(?=\{[^}]*n: number)/,
}

describe('the typed client', () => {
  it.each(cells)('has the type of $part of $library', ({ library, part }) => {
    const start = rows.indexOf(`'POST ${pathOf(library)}/:id'`)
    const row = rows.slice(start, rows.indexOf('\n  }\n', start)).replaceAll(/\s+/g, ' ')
    expect(row).toMatch(TYPED[part])
  })

  interface Row {
    params: { id: number }
    query: { page: number; tags: string[]; on: boolean }
    headers: { 'x-count': number }
    body: { name: string; age: number }
    replies: { 200: { email: string; at: string; n: number } }
  }
  interface Api {
    [route: `POST ${string}`]: Row
  }

  it.each(LIBRARY_NAMES.map((library) => ({ library })))(
    'sends every part to a route of $library, and gets its response',
    async ({ library }) => {
      const api: Client<Api> = client('http://app.test', { fetch: toFetch(app) })
      const reply = await api(`POST ${pathOf(library)}/:id`, {
        params: { id: 1 },
        query: { page: 10, tags: ['a'], on: false },
        headers: { 'x-count': 100 },
        body: { name: 'Ada', age: 1000 },
      })
      expect(reply.body).toEqual({ email: 'ada@example.org', at: '1970-01-01T00:00:00.000Z', n: 1112 })
    },
  )
})
