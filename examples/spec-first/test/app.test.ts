import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { openApiDocument } from '@cloister/openapi'
import { afterAll, expect, it } from 'vitest'
import { parse } from 'yaml'

import { run } from '../../../packages/cli/src/run.ts'
import { createApp } from '../src/app.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const app = createApp({ token: 'secret' })
afterAll(() => app.close())

const authorization = 'Bearer secret'

it('has the types of its document', async () => {
  const checked = await run(
    ['types', '--from', 'openapi.yaml', '--out', 'src/api.generated.ts', '--check'],
    folder,
  )
  expect(checked).toMatchObject({ code: 0, output: 'src/api.generated.ts is up to date\n' })
})

it('serves its operations below the path of its server', async () => {
  const added = await app.inject({
    method: 'POST',
    url: '/v1/books',
    headers: { authorization },
    payload: { title: 'Sphereland' },
  })
  expect([added.statusCode, added.headers['location'], added.json()]).toEqual([
    201,
    '/v1/books/2',
    { id: 2, title: 'Sphereland', year: null, tags: [] },
  ])
  expect((await app.inject('/v1/books?tags=maths,none')).json()).toEqual([])
  expect((await app.inject('/v1/books?tags=maths')).json()).toHaveLength(1)
  expect(
    (await app.inject({ method: 'DELETE', url: '/v1/books/2', headers: { authorization } })).statusCode,
  ).toBe(204)
})

it('refuses what the document refuses, in the form that it has for errors', async () => {
  const bad = await app.inject('/v1/books?limit=0')
  expect([bad.statusCode, bad.json()]).toEqual([
    400,
    { code: 400, message: 'querystring/limit must be >= 1' },
  ])
  const unknown = await app.inject({ method: 'POST', url: '/v1/books', payload: { title: 'x' } })
  expect([unknown.statusCode, unknown.json().code]).toEqual([401, 401])
})

it('documents what it came from', async () => {
  await app.ready()
  const source: unknown = parse(await readFile(`${folder}openapi.yaml`, 'utf8'))
  const { openapi: _, ...written } = openApiDocument(app)
  expect(source).toMatchObject({
    info: written.info,
    components: written.components,
    servers: written.servers,
  })
})
