import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBundleProject } from '../lib/built.ts'
import { nodes } from '../lib/project.ts'
import type { Project } from '../lib/project.ts'
import { start } from '../lib/start.ts'

const EXAMPLES = {
  minimal: { path: '/hello/world?times=2', body: [{ hello: 'world' }, { hello: 'world' }] },
  bookshelf: {
    path: '/books?limit=1',
    body: { items: [expect.objectContaining({ title: expect.any(String) })] },
  },
}
/** A line of code that loads a package from outside of the file. */
const OUTSIDE =
  /^(?!\s*(?:\*|\/\/)).*(?:require\(|from )["'](?:cloister|@cloister\/schema|pino|find-my-way)["'].*/m

const CASES = (['minimal', 'bookshelf'] as const).flatMap((example) =>
  ['esbuild', 'rolldown'].flatMap((bundler) =>
    [
      { format: 'esm', ending: 'mjs' },
      { format: 'cjs', ending: 'cjs' },
    ].map((how) => ({ example, bundler, ...how })),
  ),
)

describe('an example in one file', () => {
  let project: Project
  beforeAll(async () => {
    project = await createBundleProject()
    mkdirSync(path.join(project.folder, 'out'))
  })
  afterAll(() => project.remove())

  it.each(CASES)('starts and answers: $example, $bundler, $format', async (given) => {
    const { example, bundler, format, ending } = given
    const file = `out/${example}-${bundler}.${ending}`
    await project.run([process.execPath, 'build.mjs', bundler, format, `${example}.ts`, file])
    const text = readFileSync(path.join(project.folder, file), 'utf8')
    expect(OUTSIDE.exec(text)?.[0]).toBeUndefined()
    for (const node of nodes) {
      const database = path.join(project.folder, `${example}.db`)
      const server = await start([node, file], project.folder, { BOOKSHELF_DB: database })
      try {
        const response = await fetch(`${server.address}${EXAMPLES[example].path}`)
        expect(await response.json()).toMatchObject(EXAMPLES[example].body)
      } finally {
        await server.stop()
      }
    }
  })
})
