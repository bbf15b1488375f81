import { chmodSync, copyFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBundleProject } from '../lib/built.ts'
import { nodes } from '../lib/project.ts'
import type { Project } from '../lib/project.ts'
import { start } from '../lib/start.ts'

const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

describe('a single executable of the minimal example', () => {
  let project: Project
  beforeAll(async () => {
    project = await createBundleProject()
    mkdirSync(path.join(project.folder, 'out'))
  })
  afterAll(() => project.remove())

  it.each(nodes)('starts and responds: %s', async (node) => {
    await project.run([process.execPath, 'build.mjs', 'esbuild', 'cjs', 'minimal.ts', 'out/sea.cjs'])
    await project.run([node, '--experimental-sea-config', 'sea.json'])
    const program = path.join(project.folder, 'out', 'minimal')
    copyFileSync(node, program)
    chmodSync(program, 0o755)
    const postject = [process.execPath, 'node_modules/postject/dist/cli.js', program]
    await project.run([...postject, 'NODE_SEA_BLOB', 'out/sea.blob', '--sentinel-fuse', FUSE])
    const server = await start([program], project.folder)
    try {
      const response = await fetch(`${server.address}/hello/world`)
      expect(await response.json()).toEqual([{ hello: 'world' }])
    } finally {
      await server.stop()
    }
  })
})
