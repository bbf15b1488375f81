import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProject } from '../src/create-project.ts'
import { PART_NAMES } from '../src/parts.ts'
import type { PartName } from '../src/parts.ts'

const template = fileURLToPath(new URL('../template', import.meta.url))

let parent: string
beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'create-'))
})
afterEach(() => rm(parent, { recursive: true, force: true }))

function create(name: string, parts: readonly PartName[] = ['tests', 'docker']): Promise<readonly string[]> {
  return createProject({
    folder: path.join(parent, name),
    template,
    parts: new Set(parts),
    version: '1.2.3',
  })
}

/** Every choice of parts. */
const CHOICES = Array.from({ length: 2 ** PART_NAMES.length }, (_, index) =>
  PART_NAMES.filter((_name, bit) => (index & (1 << bit)) !== 0),
)

describe('createProject', () => {
  it('writes the files of a project that has the name of its folder', async () => {
    const files = await create('my-api')
    expect(files).toEqual([
      '.dockerignore',
      '.gitignore',
      'Dockerfile',
      'README.md',
      'package.json',
      'src/app.ts',
      'src/notes.ts',
      'src/shared.ts',
      'src/store.ts',
      'test/app.test.ts',
      'tsconfig.build.json',
      'tsconfig.json',
    ])
    const manifest: unknown = JSON.parse(await readFile(path.join(parent, 'my-api/package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: 'my-api', dependencies: { cloister: '^1.2.3' } })
    expect(await readFile(path.join(parent, 'my-api/README.md'), 'utf8')).toContain('docker build -t my-api')
  })

  it('has no line of a part that was not chosen, and no mark of a template', async () => {
    for (const [index, parts] of CHOICES.entries()) {
      const files = await create(`api-${index}`, parts)
      const read = (file: string): Promise<string> =>
        readFile(path.join(parent, `api-${index}`, file), 'utf8')
      const all = (await Promise.all(files.map(read))).join('\n')
      expect(all).not.toMatch(/\/\/\[|\{\{/)
      const has = (part: PartName): boolean => parts.includes(part)
      expect([files.includes('Dockerfile'), all.includes('docker build')]).toEqual([
        has('docker'),
        has('docker'),
      ])
      expect([files.includes('test/app.test.ts'), all.includes('--test')]).toEqual([
        has('tests'),
        has('tests'),
      ])
      expect([/openapi/i.test(all), /libsql/.test(all), /bearer/i.test(all)]).toEqual([
        has('openapi'),
        has('database'),
        has('auth'),
      ])
    }
  })

  it('has the alias that types of plugins import, for itself and for them', async () => {
    for (const [name, parts] of [
      ['with', ['plugins']],
      ['without', []],
    ] as const) {
      await create(name, parts)
      const manifest: unknown = JSON.parse(await readFile(path.join(parent, name, 'package.json'), 'utf8'))
      const alias = {
        dependencies: { fastify: 'npm:@cloister/fastify@^5.12.0' },
        overrides: { fastify: '$fastify' },
      }
      if (name === 'with') expect(manifest).toMatchObject(alias)
      else expect(JSON.stringify(manifest)).not.toContain('fastify')
    }
  })

  it('switches off the analytics that a page of its document may bring', async () => {
    await create('api', ['openapi'])
    const manifest: unknown = JSON.parse(await readFile(path.join(parent, 'api/package.json'), 'utf8'))
    expect(manifest).toMatchObject({ scarfSettings: { enabled: false } })
  })

  it('takes a fresh repository for an empty folder', async () => {
    await mkdir(path.join(parent, 'api/.git'), { recursive: true })
    expect(await create('api')).toContain('package.json')
  })

  it('refuses a folder with files, and writes nothing', async () => {
    await mkdir(path.join(parent, 'api'))
    await writeFile(path.join(parent, 'api/notes.txt'), 'mine')
    await expect(create('api')).rejects.toThrow(/has files \(notes\.txt\); give a new folder/)
    expect(await readdir(path.join(parent, 'api'))).toEqual(['notes.txt'])
  })

  it('refuses a file', async () => {
    await writeFile(path.join(parent, 'api'), 'mine')
    await expect(create('api')).rejects.toThrow(/is a file; give a new folder/)
  })

  it.each(['My Api', '.hidden', 'ünlaut'])('refuses the name %s', async (name) => {
    await expect(create(name)).rejects.toThrow(/is no name for a package/)
    expect(await readdir(parent)).toEqual([])
  })
})
