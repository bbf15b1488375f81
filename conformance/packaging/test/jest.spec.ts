import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, nodes } from '../lib/project.ts'
import type { Project } from '../lib/project.ts'
import { codeOf } from '../lib/recipe.ts'

const TRANSFORMERS = ['plain', 'babel', 'ts-jest', 'swc']

describe.each(['jest-29', 'jest-30'])('%s', (version) => {
  let project: Project
  beforeAll(async () => {
    project = await createProject(version, 'jest')
    const [recipe = ''] = codeOf('jest', 'js')
    writeFileSync(path.join(project.folder, 'recipe.test.js'), recipe)
  })
  afterAll(() => project.remove())

  describe.each(nodes)('on %s', (node) => {
    it.each(TRANSFORMERS)('loads the packages without flags: %s', async (transformer) => {
      const jest = [
        node,
        'node_modules/jest/bin/jest.js',
        '--ci',
        '--no-cache',
        '--config',
        `${transformer}.json`,
      ]
      const output = await project.run(jest)
      expect(output).toMatch(/Tests: +[1-9]\d* passed, [1-9]/)
    })

    it('runs the test of the recipe', async () => {
      const jest = [node, 'node_modules/jest/bin/jest.js', '--ci', '--config', 'plain.json', 'recipe.test.js']
      expect(await project.run(jest)).toMatch(/Tests: +1 passed, 1 total/)
    })
  })
})
