import { cpSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repository } from '../../../scripts/lib/run.mjs'
import { createProject } from '../lib/project.ts'
import type { Project } from '../lib/project.ts'
import { socketResults } from '../lib/socket-results.ts'
import { copyRefused, expectRefused } from '../lib/refused.ts'
import { start } from '../lib/start.ts'

const DENO_FLAGS = ['--allow-net', '--allow-env', '--allow-read', '--node-modules-dir=manual']
const RUN_TIMES = [
  { name: 'Bun.serve', command: ['bun', 'src/bun.ts'] },
  { name: 'Deno.serve', command: ['deno', 'run', ...DENO_FLAGS, 'src/deno.ts'] },
]

describe('the example for run times, with the published packages', () => {
  let project: Project
  beforeAll(async () => {
    project = await createProject('runtimes', 'runtimes')
    cpSync(path.join(repository, 'examples/runtimes/src'), path.join(project.folder, 'src'), {
      recursive: true,
    })
    // The packages of the run times fetch or link their programs when they are installed.
    await project.run(['npm', 'rebuild', 'bun', 'deno'])
  })
  afterAll(() => project.remove())

  it.each(['bun', 'deno'] as const)('refuses on %s what it refuses on Node', async (program) => {
    copyRefused(project.folder)
    const binary = path.join(project.folder, 'node_modules/.bin', program)
    const args = program === 'deno' ? ['run', ...DENO_FLAGS] : []
    expectRefused(JSON.parse(await project.run([binary, ...args, 'refused/print.ts'])))
  })

  it.each(RUN_TIMES)('responds and refuses through $name', async ({ command: [program = '', ...args] }) => {
    const binary = path.join(project.folder, 'node_modules/.bin', program)
    const server = await start([binary, ...args], project.folder)
    const post = (body: object): Promise<Response> =>
      fetch(`${server.address}/users`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    try {
      const found = await fetch(`${server.address}/users/1`)
      expect([found.status, await found.json()]).toEqual([200, { id: 1, name: 'ada' }])
      const created = await post({ id: '2', name: 'grace', secret: 'never sent' })
      expect([created.status, await created.json()]).toEqual([201, { id: 2, name: 'grace' }])
      const refused = await post({ id: 2 })
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { message: "body must have required property 'name'" },
      ])
      expect((await fetch(`${server.address}/users/0`)).status).toBe(400)
      expect((await fetch(`${server.address}/nothing`)).status).toBe(404)
      const head = await fetch(`${server.address}/users/1`, { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
      // Of a socket for both families Bun gives the mapped address, as Node does.
      const { ip } = Object(await (await fetch(`${server.address}/ip`)).json())
      expect(ip).toMatch(/^(?:::ffff:)?127\.0\.0\.1$/)
    } finally {
      await server.stop()
    }
  })

  it.each(['bun', 'deno'])('has the WebSockets of Node: %s', async (runtime) => {
    const bin = path.join(project.folder, 'node_modules/.bin')
    const commands: Readonly<Record<string, readonly string[]>> = {
      node: [process.execPath],
      bun: [path.join(bin, 'bun')],
      deno: [path.join(bin, 'deno'), 'run', ...DENO_FLAGS],
    }
    const resultsOf = async (name: string): Promise<unknown> => {
      const server = await start([...(commands[name] ?? []), `sockets/${name}.mjs`], project.folder)
      try {
        return await socketResults(server.address)
      } finally {
        await server.stop()
      }
    }
    expect(await resultsOf(runtime)).toEqual(await resultsOf('node'))
  })
})
