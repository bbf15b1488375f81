import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build } from '../lib/build.mjs'
import { blocksOfMarkdown } from '../lib/code-blocks.mjs'
import { repository, run } from '../lib/run.mjs'

const folder = path.join(repository, '.doc-examples-readme')
let example: ChildProcess | undefined
let base = ''

/** Compiles the README example about contexts as a user would, and returns the JavaScript file. */
async function compileExample(): Promise<string> {
  const blocks = blocksOfMarkdown('README.md', readFileSync(path.join(repository, 'README.md'), 'utf8'))
  const block = blocks.find(({ code }) => code.includes('bearerAuth'))
  if (block === undefined || block.mode !== 'run')
    throw new Error('README.md has no ```ts run block with bearerAuth')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(path.join(folder, 'example.ts'), block.code)
  const flags = ['--target', 'es2023', '--module', 'nodenext', '--skipLibCheck', '--types', 'node']
  const compiled = await run(['tsc', '--ignoreConfig', 'example.ts', ...flags], { cwd: folder })
  expect(compiled.output).toBe('')
  return path.join(folder, 'example.js')
}

beforeAll(async () => {
  await build()
  const preload = pathToFileURL(path.join(repository, 'scripts/lib/free-port.mjs')).href
  example = spawn(process.execPath, ['--import', preload, await compileExample()], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [message] = (await Promise.race([
    once(example, 'message'),
    once(example, 'exit').then(([code]) => {
      throw new Error(`the example ended with exit code ${String(code)}`)
    }),
  ])) as [{ address: { port: number } }]
  base = `http://localhost:${message.address.port}`
})

afterAll(() => {
  example?.kill()
  rmSync(folder, { recursive: true, force: true })
})

describe('the example of the README about contexts', () => {
  it('sends only what the response schema declares', async () => {
    const response = await fetch(`${base}/books/0`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ title: 'Flatland', year: 1884 })
  })

  it('refuses a parameter that is no integer', async () => {
    const response = await fetch(`${base}/books/first`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ statusCode: 400, error: 'Bad Request' })
  })

  it('asks for a token in the admin context only', async () => {
    const response = await fetch(`${base}/books`, { method: 'POST' })
    expect(response.status).toBe(401)
  })

  it('takes a valid book with the token and refuses one without a title', async () => {
    const post = (body: unknown): Promise<Response> =>
      fetch(`${base}/books`, {
        method: 'POST',
        headers: { authorization: 'Bearer change-me', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const added = await post({ title: 'Sylvie and Bruno', year: 1889 })
    expect(added.status).toBe(201)
    expect(await added.json()).toEqual({ index: 1 })
    const refused = await post({ year: 1889 })
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ message: "body must have required property 'title'" })
  })
})
