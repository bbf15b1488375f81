import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, nodes } from '../lib/project.ts'
import type { Project } from '../lib/project.ts'

const TRANSFORMERS = ['plain', 'babel', 'ts-jest', 'swc']

describe.each(['jest-29', 'jest-30'])('%s', (version) => {
  let project: Project
  beforeAll(async () => {
    project = await createProject(version, 'jest')
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
  })
})
