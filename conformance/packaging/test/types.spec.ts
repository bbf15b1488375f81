import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject } from '../lib/project.ts'
import type { Project } from '../lib/project.ts'

const REQUIRED = ['cjs/names.ts', 'cjs/import-require.ts', 'cjs/alias.ts']
const BOTH = [...REQUIRED, 'cjs/augmented.ts', 'esm/names.ts', 'esm/augmented.ts']
const CASES = [
  { compiler: 'typescript5', settings: ['nodenext'], files: BOTH },
  { compiler: 'typescript5', settings: ['node16'], files: BOTH },
  { compiler: 'typescript5', settings: ['commonjs', 'node10'], files: REQUIRED },
  { compiler: 'typescript5', settings: ['esnext', 'bundler'], files: ['esm/names.ts'] },
  { compiler: 'typescript6', settings: ['nodenext'], files: BOTH },
  { compiler: 'typescript6', settings: ['node16'], files: BOTH },
  { compiler: 'typescript6', settings: ['commonjs', 'bundler'], files: REQUIRED },
  { compiler: 'typescript', settings: ['nodenext'], files: BOTH },
  { compiler: 'typescript', settings: ['node16'], files: BOTH },
  { compiler: 'typescript', settings: ['preserve', 'bundler'], files: ['esm/names.ts'] },
]
const STRICT = ['--noEmit', '--strict', '--target', 'es2022', '--types', 'node', '--esModuleInterop']

describe('the types', () => {
  let project: Project
  beforeAll(async () => {
    project = await createProject('bundlers', 'types')
  })
  afterAll(() => project.remove())

  it.each(CASES)(
    'compile for import and require: $compiler, $settings',
    async ({ compiler, settings, files }) => {
      const [module = '', resolution = module] = settings
      const how = ['--module', module, '--moduleResolution', resolution]
      const tsc = [process.execPath, `node_modules/${compiler}/bin/tsc`]
      expect(await project.run([...tsc, ...files, ...how, ...STRICT])).toBe('')
    },
  )

  it('report a member that does not exist, so that nothing of them is any', async () => {
    const tsc = [process.execPath, 'node_modules/typescript/bin/tsc', 'cjs/wrong.ts']
    const compiled = project.run([...tsc, '--module', 'nodenext', ...STRICT])
    await expect(compiled).rejects.toThrow(
      /wrong\.ts\(3,\d+\): error TS2339[^]*wrong\.ts\(4,\d+\): error TS2345/,
    )
  })
})
