import { describe, expect, it } from 'vitest'
import { sse } from '../../../src/request/items/item-formats.ts'

describe('the fields of an event', () => {
  it.each(['a\nb', 'a\rb', 'a\0b'])('refuse %j, which would begin another field or be ignored', (text) => {
    expect(() => sse({ event: text })).toThrow("The field 'event'")
    expect(() => sse({ id: text })).toThrow("The field 'id'")
  })

  it.each([-1, 0.5, Number.NaN, Infinity])('refuse %d as the time until a client comes back', (retry) => {
    expect(() => sse({ retry })).toThrow("The field 'retry'")
  })

  it('are refused by name where an event has no such field, so that no data are lost', () => {
    const misplaced: object = { count: 1 }
    expect(() => sse(misplaced)).toThrow("The field 'count' of a server-sent event is not one of data, event")
  })
})
