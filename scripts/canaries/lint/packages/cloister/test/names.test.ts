import { expect, it } from 'vitest'
import { broken } from '../src/index.ts'

it.only('is focused', () => {
  expect(Promise.reject(new Error(broken(1)))).rejects.toThrow()
})
it.skip('is skipped', () => {})
