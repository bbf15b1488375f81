import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { run } from '../src/run.ts'

const app = fileURLToPath(new URL('./fixtures/app.mjs', import.meta.url))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cli-openapi-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('cloister openapi', () => {
  it('prints the document, with the name and version of the project', async () => {
    await writeFile(path.join(folder, 'package.json'), '{"name":"users-api","version":"2.1.0"}')
    const { code, output } = await run(['openapi', '--app', app], folder)
    const document: unknown = JSON.parse(output)
    expect(code).toBe(0)
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1/),
      info: { title: 'users-api', version: '2.1.0' },
      paths: { '/users/{id}': { get: {} } },
    })
  })

  it('has the title and the options of the plugin that serves the document', async () => {
    const file = fileURLToPath(new URL('./fixtures/documented/app.mjs', import.meta.url))
    const { output } = await run(['openapi', '--app', file], folder)
    const document: unknown = JSON.parse(output)
    expect(document).toMatchObject({
      info: { title: 'Users of the plugin', version: '3.2.1' },
      servers: [{ url: 'https://api.example' }],
    })
  })

  it('takes the title and the version of the specification', async () => {
    const { output } = await run(['openapi', '--app', app, '--title', 'Users', '--3.0'], folder)
    const document: unknown = JSON.parse(output)
    expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.0/), info: { title: 'Users' } })
  })

  it('writes a file that --check finds up to date, and the same on a second run', async () => {
    const file = path.join(folder, 'docs/api.json')
    const write = (): ReturnType<typeof run> =>
      run(['openapi', '--app', app, '--out', 'docs/api.json'], folder)
    expect(await write()).toEqual({ code: 0, output: 'wrote docs/api.json\n', errors: '' })
    const text = await readFile(file, 'utf8')
    expect((await write()).output).toBe('docs/api.json is up to date\n')
    expect(await readFile(file, 'utf8')).toBe(text)
    const check = await run(['openapi', '--app', app, '--check', '--out', 'docs/api.json'], folder)
    expect(check.code).toBe(0)
  })

  it.each(['api.yaml', 'api.yml'])('writes YAML where the name ends so: %s', async (name) => {
    const { code } = await run(['openapi', '--app', app, '--out', name], folder)
    expect(code).toBe(0)
    const text = await readFile(path.join(folder, name), 'utf8')
    expect(text).toMatch(/^openapi: 3\.1/)
    const { output } = await run(['openapi', '--app', app], folder)
    expect(parse(text)).toEqual(JSON.parse(output))
    expect((await run(['openapi', '--app', app, '--check', '--out', name], folder)).code).toBe(0)
  })

  it('ends with 3 where the file cannot be written', async () => {
    await writeFile(path.join(folder, 'taken'), '')
    const { code, errors } = await run(['openapi', '--app', app, '--out', 'taken/api.json'], folder)
    expect(code).toBe(3)
    expect(errors).toMatch(/^cloister: .*taken\/api\.json cannot be (?:read|written): /)
  })

  it('--check ends with 1 for a file that is missing or not up to date, and does not write it', async () => {
    const check = (): ReturnType<typeof run> => run(['openapi', '--app', app, '--check'], folder)
    expect(await check()).toEqual({
      code: 1,
      output: '',
      errors: `cloister: openapi.json does not exist; write it with: cloister openapi --app ${app} --out openapi.json\n`,
    })
    await writeFile(path.join(folder, 'openapi.json'), '{\n  "openapi": "2.0"\n}\n')
    const { code, errors } = await check()
    expect(code).toBe(1)
    expect(errors).toMatch(/^cloister: openapi\.json differs from the app in line 2; write it with: /)
    expect(await readFile(path.join(folder, 'openapi.json'), 'utf8')).toContain('2.0')
  })

  it('--check gives the command with every option that the file depends on', async () => {
    const args = ['openapi', '--app', app, '--check', '--out', 'api.json', '--title', 'Our users', '--3.0']
    const { errors } = await run(args, folder)
    expect(errors).toMatch(/: cloister openapi --app \S+ --out api\.json --title "Our users" --3\.0\n$/)
  })
})

describe('cloister asyncapi', () => {
  const topics = fileURLToPath(new URL('./fixtures/topics.mjs', import.meta.url))

  it('prints the channels of the app, with the name and version of the project', async () => {
    await writeFile(path.join(folder, 'package.json'), '{"name":"prices-api","version":"2.1.0"}')
    const { code, output } = await run(['asyncapi', '--app', topics], folder)
    expect(code).toBe(0)
    expect(JSON.parse(output)).toMatchObject({
      asyncapi: '3.0.0',
      info: { title: 'prices-api', version: '2.1.0' },
      channels: { pricesBySymbol: { address: '/prices/{symbol}' }, live: { address: '/live' } },
      components: { messages: { prices_symbol: { name: 'prices/:symbol' }, news: {} } },
    })
  })

  it('writes YAML with a title, and --check finds a file that is not up to date', async () => {
    const args = ['asyncapi', '--app', topics, '--title', 'Prices', '--out', 'asyncapi.yaml']
    expect((await run(args, folder)).output).toBe('wrote asyncapi.yaml\n')
    const text = await readFile(path.join(folder, 'asyncapi.yaml'), 'utf8')
    expect(text).toMatch(/^asyncapi: 3\.0\.0\ninfo:\n {2}title: Prices\n/)
    expect((await run([...args, '--check'], folder)).code).toBe(0)
    const { code, errors } = await run(['asyncapi', '--app', topics, '--check'], folder)
    expect(code).toBe(1)
    expect(errors).toMatch(
      /^cloister: asyncapi\.json does not exist; write it with: cloister asyncapi --app /,
    )
  })
})
