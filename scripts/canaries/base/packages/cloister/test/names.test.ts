import { expect, it } from 'vitest'
import { names } from '../src/index.ts'

it('names the packages', () => {
  expect(names).toContain('schema')
})
