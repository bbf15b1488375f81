import { expect, it } from 'vitest'

it('fails', () => {
  expect(1).toBe(2)
})
it('passes', () => {
  expect(1).toBe(1)
})
