import { STATUS_CODES } from 'node:http'
import { expect, it } from 'vitest'
import { STATUS_TEXT } from '../../src/exchange/status-text.generated.ts'

it('has the reason phrases that Node sends in the status line', () => {
  for (const [status, text] of Object.entries(STATUS_TEXT)) expect(STATUS_CODES[status]).toBe(text)
  expect(Object.keys(STATUS_TEXT).length).toBeGreaterThan(60)
})
