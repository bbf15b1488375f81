import { expect, it } from 'vitest'
import { names } from 'cloister'

it('is type-checked too', () => {
  expect(names.lenght).toBe(2)
})
