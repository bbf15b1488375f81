import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, expect, it } from 'vitest'

import { browserOptions, compile } from '../../../benchmarks/types/compiler.mjs'

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'client-cost-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A row as `cloister types` writes it; no two are the same. */
const row = (index: number): string => `  'POST /r${index}/:id': {
    params: { id: number }
    query?: { limit?: number; q${index}?: string }
    body: { name: string; age${index}?: number; tags?: string[] }
    replies: {
      200: { id: number; name: string; n${index}?: string; owner?: Schemas['user'] }
      404: { message: string }${index % 3 === 0 ? "\n      '5xx': { oops?: boolean }" : ''}
    }
  }
  'GET /r${index}/:id': {
    params: { id: number }
    replies: {
      200: Schemas['user']
    }
  }
  'HEAD /r${index}/:id': Head<Api['GET /r${index}/:id']>
`

const call = (index: number): string => `export async function call${index}() {
  const reply = await api('POST /r${index}/:id', { params: { id: 1 }, query: { q${index}: 'x' }, body: { name: 'x' } })
  if (reply.status === 200) return reply.body.name.length
  if (reply.status === 404) return reply.body.message.length
  return 0
}
`

function write(name: string, text: string): void {
  writeFileSync(path.join(folder, name), text)
}

it('100 calls against a table of 3,000 rows make fewer than 40,000 instantiations of types', () => {
  const rows = Array.from({ length: 1000 }, (_, index) => row(index)).join('')
  const schemas = "export interface Schemas {\n  user: { id: number; friend?: Schemas['user'] }\n}\n"
  write(
    'api.d.ts',
    `import type { Head } from '@cloister/client'\nexport interface Api {\n${rows}}\n${schemas}`,
  )
  const head = `import { client } from '@cloister/client'
import type { Api } from './api.d.ts'
const api = client<Api>('http://localhost')
`
  write('calls.ts', head + Array.from({ length: 100 }, (_, index) => call(index * 10)).join(''))
  const paths = { '@cloister/client': [here('../src/index.ts')] }
  const compilerOptions = { ...browserOptions, paths }
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['calls.ts'] }))
  const { instantiations, problems } = compile(folder)
  expect(problems).toEqual([])
  expect(instantiations).toBeGreaterThan(1000)
  expect(instantiations).toBeLessThan(40_000)
})
