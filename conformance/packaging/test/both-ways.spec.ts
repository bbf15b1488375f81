import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, nodes } from '../lib/project.ts'
import type { Project } from '../lib/project.ts'

let project: Project
beforeAll(async () => {
  project = await createProject(null, 'both-ways')
})
afterAll(() => project.remove())

async function read(node: string, file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await project.run([node, file])) as Record<string, unknown>
}

describe.each(nodes)('import and require on %s', (node) => {
  it('give the same values for every entry of every package', async () => {
    const { entries, differing } = await read(node, 'identity.mjs')
    expect(differing).toEqual([])
    expect(entries).toEqual(
      expect.arrayContaining([
        'cloister',
        'cloister/lib/reply',
        '@cloister/schema/serializer',
        '@cloister/plugin',
      ]),
    )
  })

  it('meet in an app of ES modules: an error of a plugin in CommonJS is an instance of the imported class', async () => {
    expect(await read(node, 'app.mjs')).toEqual({
      sameCodes: true,
      seen: [true, true],
      body: { code: 'CLO_ERR_NOT_FOUND' },
    })
  })

  it('meet in an app in CommonJS that registers a plugin by import()', async () => {
    const { same, body } = await read(node, 'app.cjs')
    expect(same).toBe(true)
    expect(body).toMatchObject({ statusCode: 404, code: 'CLO_ERR_NOT_FOUND' })
  })
})
