import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, nodes } from '../lib/project.ts'
import type { Project } from '../lib/project.ts'
import { start } from '../lib/start.ts'

let project: Project
beforeAll(async () => {
  project = await createProject('alias', 'alias')
})
afterAll(() => project.remove())

async function read(command: readonly string[]): Promise<unknown> {
  return JSON.parse(await project.run(command))
}

describe('a project whose fastify is @cloister/fastify', () => {
  it('has one of it, which plugins with a peer of the 5.x line take', async () => {
    const tree = JSON.parse(await project.run(['npm', 'ls', 'fastify', '--all', '--json', '--silent'])) as {
      readonly dependencies: Readonly<Record<string, { readonly version: string }>>
    }
    expect(tree.dependencies['fastify']?.version).toMatch(/^5\.12\./)
    expect(tree).not.toHaveProperty('problems')
  })

  it.each(nodes)('runs plugins of both lines, with the codes of Fastify: %s', async (node) => {
    expect(await read([node, 'use.cjs'])).toEqual({
      body: { x: '1' },
      cookie: 'a=b; SameSite=Lax',
      version: expect.stringMatching(/^5\.12\./),
      code: 'FST_ERR_NOT_FOUND',
      zod: 'function',
    })
  })

  it('is traced by @opentelemetry/instrumentation-fastify', async () => {
    const traced = await read([process.execPath, 'trace.cjs', 'instrumentation'])
    expect(traced).toEqual({ body: { id: '1' }, spans: ['request handler - handler', 'middleware - named'] })
  })

  it('is traced by @fastify/otel', async () => {
    const traced = await read([process.execPath, 'trace.cjs', 'otel'])
    expect(traced).toEqual({
      body: { id: '1' },
      spans: ['preHandler - named', 'handler - handler', 'request'],
    })
  })

  it('compiles with the names and the namespace of fastify, as ES module and CommonJS', async () => {
    const how = ['--noEmit', '--strict', '--module', 'nodenext', '--types', 'node', '--target', 'es2022']
    const tsc = [process.execPath, 'node_modules/typescript/bin/tsc']
    expect(await project.run([...tsc, 'esm.mts', 'cjs.cts', ...how])).toBe('')
  })
})

describe('fastify-cli with the alias', () => {
  const cli = [process.execPath, 'node_modules/fastify-cli/cli.js']

  it('prints the routes and the plugins', async () => {
    expect(await project.run([...cli, 'print-routes', 'plugin.cjs'])).toContain('inner (GET, HEAD)')
    expect(await project.run([...cli, 'print-plugins', 'plugin.cjs'])).toContain('shelf')
  })

  it('starts the plugin', async () => {
    const server = await start([...cli, 'start', '--port', '0', '-l', 'info', 'plugin.cjs'], project.folder)
    try {
      expect(await (await fetch(server.address)).json()).toEqual({ hello: 'cli' })
    } finally {
      await server.stop()
    }
  })
})
