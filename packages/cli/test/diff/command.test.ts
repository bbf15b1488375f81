import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { run } from '../../src/run.ts'

const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url))
const app = (limit: string): string => `import { cloister } from 'cloister'
export const app = cloister()
app.get('/users/:id', { schema: {
  params: { type: 'object', properties: { id: { type: 'integer'${limit} } } },
  response: { 200: { type: 'object', properties: { name: { type: 'string' } } } },
} }, () => ({ name: 'Ada' }))
`

let folder: string
const git = (...args: string[]): unknown =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
    cwd: folder,
    stdio: 'pipe',
  })

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'cli-diff-'))
  symlinkSync(modules, path.join(folder, 'node_modules'))
  writeFileSync(path.join(folder, '.gitignore'), 'node_modules\n')
  mkdirSync(path.join(folder, 'src'))
  writeFileSync(path.join(folder, 'src/app.mjs'), app(''))
  // A module is loaded once in a process.
  writeFileSync(path.join(folder, 'src/first.mjs'), app(''))
  const { output } = await run(['openapi', '--app', 'src/first.mjs'], folder)
  writeFileSync(path.join(folder, 'api.json'), output)
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-q', '-m', 'one')
  git('tag', 'v1')
  writeFileSync(path.join(folder, 'src/app.mjs'), app(', maximum: 9'))
  const document: unknown = JSON.parse(output)
  writeFileSync(path.join(folder, 'api.yaml'), stringify(document))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('cloister diff', () => {
  it.each([
    ['a revision of git and the app', ['v1']],
    ['a document of a revision and the app', ['v1:api.json']],
    ['an app file of a revision and one that is here', ['v1:src/app.mjs', 'src/app.mjs']],
    ['a document in YAML and the app', ['api.yaml', 'src/app.mjs']],
  ])('compares %s, and names the place in the code', async (_what, args) => {
    const { code, output, errors } = await run(['diff', ...args], folder)
    expect({ code, errors }).toEqual({ code: 1, errors: '' })
    expect(output).toBe(`GET /users/{id}  ${path.join('src', 'app.mjs')}:3
  error    path parameter id  request-maximum-narrowed
      maximum: none → 9; valid requests are refused
1 breaking, 0 warnings
`)
  })

  it('prints JSON, and ends with 0 where nothing breaks', async () => {
    const { code, output } = await run(['diff', 'src/app.mjs', 'v1', '--json'], folder)
    expect({ code, changes: JSON.parse(output) }).toEqual({ code: 0, changes: [] })
    const broken = await run(['diff', 'api.json', '--json'], folder)
    expect(JSON.parse(broken.output)).toMatchObject([{ level: 'error', check: 'request-maximum-narrowed' }])
  })

  it('ends with 1 for warnings with --strict alone', async () => {
    const document = { openapi: '3.1.1', paths: {}, servers: [{ url: '/v1' }] }
    writeFileSync(path.join(folder, 'one.json'), JSON.stringify(document))
    writeFileSync(path.join(folder, 'two.json'), JSON.stringify({ ...document, servers: [] }))
    expect((await run(['diff', 'one.json', 'two.json'], folder)).code).toBe(0)
    expect((await run(['diff', 'one.json', 'two.json', '--strict'], folder)).code).toBe(1)
  })

  it.each([
    ['none', 2, /'none' is no file and no revision of git/],
    ['v1:gone.json', 3, /there is no gone\.json in v1/],
    ['package.json', 3, /package\.json is no OpenAPI document/],
  ])('says what is wrong with %s', async (given, code, message) => {
    writeFileSync(path.join(folder, 'package.json'), '{}')
    const found = await run(['diff', given], folder)
    expect(found.code).toBe(code)
    expect(found.errors).toMatch(message)
  })

  it('removes the trees of revisions', () => {
    expect(String(git('worktree', 'list')).trim().split('\n')).toHaveLength(1)
  })
})
