import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBundleProject } from '../lib/built.ts'
import { nodes } from '../lib/project.ts'
import type { Project } from '../lib/project.ts'
import { codeOf } from '../lib/recipe.ts'
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

  it.each(CASES)('starts and responds: $example, $bundler, $format', async (given) => {
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

  describe('with the commands of the recipe', () => {
    const [toCommonJs = '', toModule = ''] = codeOf('bundling', 'sh')
    const [config = ''] = codeOf('bundling', 'js')
    const bundles = [
      { how: 'esbuild, CommonJS', command: toCommonJs, file: 'dist/main.cjs' },
      { how: 'esbuild, ES module', command: toModule, file: 'dist/main.mjs' },
      { how: 'rolldown', command: 'rolldown --config rolldown.config.mjs', file: 'dist/main.mjs' },
    ]

    it.each(bundles)('starts and responds: $how', async ({ command, file }) => {
      mkdirSync(path.join(project.folder, 'src'), { recursive: true })
      cpSync(path.join(project.folder, 'minimal.ts'), path.join(project.folder, 'src/main.ts'))
      const main = path.join(project.folder, 'src/main.ts')
      writeFileSync(main, readFileSync(main, 'utf8').replaceAll('./examples/', '../examples/'))
      writeFileSync(path.join(project.folder, 'rolldown.config.mjs'), config)
      const bin = path.join(project.folder, 'node_modules/.bin')
      await project.run(['sh', '-c', command], { PATH: `${bin}:${process.env['PATH'] ?? ''}` })
      const server = await start([process.execPath, file], project.folder)
      try {
        const response = await fetch(`${server.address}${EXAMPLES.minimal.path}`)
        expect(await response.json()).toEqual(EXAMPLES.minimal.body)
      } finally {
        await server.stop()
      }
    })
  })
})
