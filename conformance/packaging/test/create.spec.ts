import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { blocksOfMarkdown } from '../../../scripts/lib/code-blocks.mjs'
import { repository, run } from '../../../scripts/lib/run.mjs'
import { start } from '../lib/start.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'create-'))
const project = path.join(folder, 'my-api')

/** What `npm start` runs. */
const STARTED = [process.execPath, 'node_modules/@cloister/cli/dist/main.js', 'start', '--app', 'dist/app.js']

async function runIn(cwd: string, command: readonly string[]): Promise<string> {
  const { code, output } = await run(command, { cwd, timeoutMs: 240_000 })
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output}`)
  return output
}

/** Lets the project install the packed packages, which no registry has. */
function takePacked(): void {
  const file = path.join(project, 'package.json')
  const manifest: { dependencies: Record<string, string>; overrides?: object } = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  const packed: Record<string, string> = {}
  for (const name of [
    'cloister',
    '@cloister/cli',
    '@cloister/bearer-auth',
    '@cloister/openapi',
    '@cloister/schema',
    '@cloister/web',
    '@cloister/plugin',
    '@cloister/wire',
  ]) {
    packed[name] = `file:${tarballOf(name.replace('@', '').replace('/', '-'))}`
  }
  const fastify = `file:${tarballOf('cloister-fastify')}`
  manifest.dependencies = { ...manifest.dependencies, ...packed, fastify }
  manifest.overrides = { ...packed, ...manifest.overrides }
  writeFileSync(file, JSON.stringify(manifest))
}

function tarballOf(name: string): string {
  const found = inject('tarballs').find((file) => new RegExp(`^${name}-\\d`).test(path.basename(file)))
  if (found === undefined) throw new Error(`${name} is not packed`)
  return found
}

describe('npm create cloister', () => {
  beforeAll(async () => {
    const quiet = ['--no-audit', '--no-fund', '--prefer-offline']
    // Without a manifest of its own, npm takes that of a folder above.
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true }')
    await runIn(folder, ['npm', 'install', '--no-save', ...quiet, tarballOf('create-cloister')])
    await runIn(folder, ['npx', 'create-cloister', 'my-api', '--openapi', '--database', '--auth'])
    takePacked()
    await runIn(project, ['npm', 'install', ...quiet])
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('makes a project whose types and tests pass', async () => {
    expect(await runIn(project, ['npm', 'test'])).toMatch(/pass 6\n/)
  })

  it('makes a project whose routes the command lists from its sources', async () => {
    expect(await runIn(project, ['npm', 'run', 'routes'])).toMatch(/GET +\/notes\/:id .* src\/notes\.ts:\d+/)
  })

  it('makes projects with any choice of parts, whose types and tests pass', async () => {
    const main = path.join(folder, 'node_modules/create-cloister/dist/main.js')
    const flags = ['--no-tests', '--openapi', '--database', '--auth']
    const tests: string[] = []
    for (let index = 0; index < 2 ** flags.length; index++) {
      const given = flags.filter((_flag, bit) => (index & (1 << bit)) !== 0)
      const name = `choices/c${index}`
      await runIn(project, [process.execPath, main, name, '--yes', ...given])
      if (!given.includes('--no-tests')) tests.push(`${name}/test/app.test.ts`)
    }
    const config = { extends: './tsconfig.json', include: ['choices/*/src', 'choices/*/test'] }
    writeFileSync(path.join(project, 'tsconfig.choices.json'), JSON.stringify(config))
    await runIn(project, ['npx', 'tsc', '-p', 'tsconfig.choices.json'])
    const output = await runIn(project, [process.execPath, '--import', 'tsx', '--test', ...tests])
    expect(output).toMatch(/fail 0\n/)
  })

  it('makes a project in which the recipe for uploads compiles', async () => {
    const recipe = path.join(repository, 'docs/recipes/uploads.md')
    const blocks = blocksOfMarkdown(recipe, readFileSync(recipe, 'utf8')).filter(
      ({ language }) => language === 'ts',
    )
    expect(blocks.length).toBeGreaterThan(1)
    for (const [index, { code }] of blocks.entries())
      writeFileSync(path.join(project, `src/uploads-${index}.ts`), code)
    await runIn(project, ['npx', 'tsc'])
  })

  it('makes a project in which plugins of @fastify/* compile, by its alias', async () => {
    const plugins = ['cors', 'jwt', 'rate-limit', 'static'].map((name) => `@fastify/${name}`)
    await runIn(project, ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', ...plugins])
    const fixture = path.join(import.meta.dirname, '../fixtures/created/plugins.ts')
    cpSync(fixture, path.join(project, 'src/plugins.ts'))
    await runIn(project, ['npx', 'tsc'])
    const alias = path.join(project, 'node_modules/fastify')
    renameSync(alias, path.join(folder, 'fastify'))
    try {
      await expect(runIn(project, ['npx', 'tsc'])).rejects.toThrow(/src\/plugins\.ts.* error TS/)
    } finally {
      renameSync(path.join(folder, 'fastify'), alias)
    }
  })

  it('makes a project that is compiled, started and responds', async () => {
    await runIn(project, ['npm', 'run', 'build'])
    const running = await start(STARTED, project, { API_KEYS: 'change-me' })
    try {
      const url = `${running.address}/notes`
      const authorization = 'Bearer change-me'
      const headers = { authorization, 'content-type': 'application/json' }
      const post = (body: string): Promise<Response> => fetch(url, { method: 'POST', headers, body })
      expect((await post('{"text":"Buy milk"}')).status).toBe(201)
      expect((await post('{}')).status).toBe(400)
      expect(await (await fetch(`${url}/1`, { headers: { authorization } })).json()).toEqual({
        id: 1,
        text: 'Buy milk',
        done: false,
      })
    } finally {
      await running.stop()
    }
  })

  it.each(['', 'development', 'change-me,development'])(
    'makes a project that does not start compiled with the keys "%s", and says what to set',
    async (keys) => {
      await runIn(project, ['npm', 'run', 'build'])
      await expect(start(STARTED, project, { API_KEYS: keys })).rejects.toThrow(/Set API_KEYS to the keys of/)
    },
  )

  it('makes a project whose production modules are small, and have no page', async () => {
    await runIn(project, ['npm', 'ci', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline'])
    const modules = path.join(project, 'node_modules')
    const names = readdirSync(modules)
    expect(names).toContain('cloister')
    expect(names.filter((name) => /^(?:@scalar|typescript|pino-pretty|tsx)$/.test(name))).toEqual([])
    const output = await runIn(project, ['du', '-sk', 'node_modules'])
    // The driver of the database has 10 MB.
    expect(Number.parseInt(output, 10)).toBeLessThan(62 * 1024)
  })
})
