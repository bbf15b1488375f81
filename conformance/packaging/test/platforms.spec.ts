// The recipe for cloud functions, with the programs by which the platforms call them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createProject, type Project } from '../lib/project.ts'
import { codeOf } from '../lib/recipe.ts'

let project: Project
beforeAll(async () => {
  project = await createProject('platforms', 'platforms')
  const blocks = codeOf('serverless', 'js')
  for (const code of blocks) {
    const [, name = ''] = /^\/\/ (\S+)/.exec(code) ?? []
    writeFileSync(path.join(project.folder, name), code)
  }
  mkdirSync(path.join(project.folder, 'dist'))
})
afterAll(() => project.remove())

const modulesOf = (...names: readonly string[]): string => path.join(project.folder, 'node_modules', ...names)

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = Object(server.address())
  server.close()
  await once(server, 'close')
  return port
}

interface Started {
  readonly url: string
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>
}

/** Starts a program that listens on a given port. */
async function serve(args: readonly string[], env: Record<string, string> = {}): Promise<Started> {
  const port = String(await freePort())
  const child = spawn(process.execPath, args, {
    cwd: project.folder,
    env: { ...process.env, PORT: port, NETLIFY_PLAY_PORT: port, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const ended = once(child, 'exit')
  const stop = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    const [code] = await ended
    return code
  }
  onTestFinished(async () => void (await stop('SIGKILL')))
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; child.exitCode === null && tries < 200; tries++) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isUp) return { url, stop }
    await delay(50)
  }
  throw new Error(`${args.join(' ')} does not listen:\n${output}`)
}

const post = (url: string, body: unknown): Promise<Response> =>
  fetch(`${url}/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function expectApp(url: string, address: string): Promise<void> {
  const found = await fetch(`${url}/users/7`)
  expect([found.status, await found.json()]).toEqual([200, { id: 7, name: 'ada' }])
  const refused = await fetch(`${url}/users/0`)
  expect([refused.status, await refused.json()]).toMatchObject([400, { detail: 'params/id must be >= 1' }])
  const created = await post(url, { id: 2, name: 'grace' })
  expect([created.status, await created.json()]).toEqual([201, { id: 2, name: 'grace' }])
  expect(await (await post(url, { id: 2 })).json()).toMatchObject({
    detail: "body must have required property 'name'",
  })
  expect((await fetch(`${url}/none`)).status).toBe(404)
  const { headers } = new Request(url, { headers: CLIENT })
  expect(await (await fetch(`${url}/ip`, { headers })).text()).toBe(address)
  const events = await fetch(`${url}/events`)
  expect(await events.text()).toBe('data: {"id":1,"name":"ada"}\n\ndata: {"id":2,"name":"grace"}\n\n')
}

/** What the proxies of the platforms say about the client. */
const CLIENT = { 'x-real-ip': '192.0.2.1', 'x-nf-client-connection-ip': '192.0.2.1' }
const build = (target: string, file: string): Promise<string> =>
  project.run(['npx', 'cloister', 'build', 'app.js', '--target', target, '--out', `dist/${file}`])

describe('the app of the recipe for cloud functions', () => {
  it('is a function of Lambda, for events of function URLs and HTTP APIs', async () => {
    expect(await build('lambda', 'lambda.mjs')).toContain(' 0 differences')
    expect(await project.run(['node', 'lambda.js', './dist/lambda.mjs'])).toBe(LAMBDA)
  })

  it('is a function of Lambda, for events of REST APIs and load balancers', async () => {
    expect(await project.run(['node', 'lambda.js', './rest.js', 'rest'])).toBe(LAMBDA)
    expect(await project.run(['node', 'lambda.js', './rest.js', 'balancer'])).toBe(
      LAMBDA.replace('192.0.2.1', '127.0.0.1'),
    )
  })

  it('is a program for Cloud Run, which ends at SIGTERM', async () => {
    expect(await build('node', 'server.mjs')).toContain(' 0 differences')
    const { url, stop } = await serve(['dist/server.mjs'], { HOST: '0.0.0.0', NODE_ENV: 'production' })
    await expectApp(url, '127.0.0.1')
    expect(await stop('SIGTERM')).toBe(0)
  })

  it('is a Cloud Run function', async () => {
    const main = modulesOf('@google-cloud/functions-framework/build/src/main.js')
    const manifest = path.join(project.folder, 'package.json')
    const before = readFileSync(manifest, 'utf8')
    writeFileSync(manifest, JSON.stringify({ ...JSON.parse(before), main: 'function.js' }))
    onTestFinished(() => writeFileSync(manifest, before))
    const { url } = await serve([main, '--target=api'])
    await expectApp(url, '::ffff:127.0.0.1')
  })

  it('is a function of Vercel', async () => {
    const { url } = await serve(['vercel.cjs', modulesOf('@vercel/node/dist/bundling-handler.js'), '/vercel'])
    await expectApp(url, '192.0.2.1')
    const plain = await serve(['vercel.cjs', modulesOf('@vercel/node/dist/bundling-handler.js'), '/app'])
    await expectApp(plain.url, '')
  })

  it('is a function of Netlify', async () => {
    const program = modulesOf('@netlify/serverless-functions-api/dist/index_server.js')
    for (const [file, address] of [
      ['netlify.js', '192.0.2.1'],
      ['app.js', ''],
    ] as const) {
      const { url } = await serve([program], { NETLIFY_PLAY_ENTRY_PATH: path.join(project.folder, file) })
      await expectApp(url, address)
    }
  })
})

/** What `lambda.js` prints. */
const LAMBDA = `200 {"id":7,"name":"ada"}
400 application/problem+json; charset=utf-8
201 {"id":2,"name":"grâce"}
200 192.0.2.1
200 data: {"id":1,"name":"ada"}

data: {"id":2,"name":"grace"}


`
