import { describe, expect, it } from 'vitest'
import { bothBackEnds } from './both-back-ends.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 1 },
    name: { type: 'string', minLength: 2, maxLength: 4 },
    tag: { enum: ['a', 'b'] },
    size: { type: 'number', default: 3 },
    anything: {},
  },
  required: ['id', 'anything'],
  additionalProperties: false,
}

describe.each(bothBackEnds(SCHEMA))('objects with keys in any order, as %s', (_backEnd, accept) => {
  it('are accepted, filled and stripped', () => {
    for (const make of [
      () => ({ id: 1, anything: 0 }),
      () => ({ anything: 0, id: '1' }),
      () => ({ extra: 1, id: 1, anything: 0, size: '3' }),
      () => ({ id: 1, extra: 1, anything: 0 }),
    ]) {
      for (let calls = 0; calls < 3; calls++) {
        const value: unknown = make()
        expect(accept(value)).toBe(true)
        expect(value).toEqual({ id: 1, anything: 0, size: 3 })
      }
    }
  })

  it('are refused for a missing property, also after others with the same keys', () => {
    expect(accept({ id: 1, name: 'four', anything: null })).toBe(true)
    expect(accept({ id: 1, name: 'four' })).toBe(false)
    expect(accept({ id: 1, name: 'fives', anything: null })).toBe(false)
    expect(accept({ id: 0, name: 'four', anything: null })).toBe(false)
    expect(accept({ id: 1, name: '😀', anything: null })).toBe(false)
    expect(accept({ id: 1, name: '😀😀😀😀', anything: null })).toBe(true)
    expect(accept({ id: 1, tag: 'c', anything: null })).toBe(false)
  })

  it('count a property as missing whose value is undefined', () => {
    const value: object = { id: '7', name: undefined, size: undefined, anything: 1 }
    expect(accept(value)).toBe(true)
    expect(value).toEqual({ id: 7, name: undefined, size: 3, anything: 1 })
    expect(accept({ id: 1, anything: undefined })).toBe(false)
  })

  it('are looked at with what their prototype has', () => {
    class Record {
      id = 1
      anything = true
      get name(): string {
        return 'too long'
      }
    }
    expect(accept({ id: 1, anything: true })).toBe(true)
    expect(accept(new Record())).toBe(false)
  })

  it('are decided the same way after a thousand other sequences of keys', () => {
    for (let at = 0; at < 1000; at++) {
      const value: unknown = { [`extra${at}`]: 1, id: '2', anything: 0, [`more${at}`]: 2 }
      expect(accept(value)).toBe(true)
      expect(value).toEqual({ id: 2, anything: 0, size: 3 })
    }
    expect(accept({ late: 1, id: 'x', anything: 0 })).toBe(false)
  })
})

const UNION = {
  oneOf: [
    {
      type: 'object',
      properties: { kind: { const: 'cat' }, lives: { type: 'integer' } },
      required: ['kind'],
    },
    { type: 'object', properties: { kind: { enum: ['dog', 'cow'] }, lives: { type: 'string' } } },
    {
      type: 'object',
      properties: { kind: { enum: ['cow', 'cat'] }, horns: { type: 'integer' } },
      required: ['horns'],
    },
  ],
}

describe.each(bothBackEnds(UNION))(
  'a union with a property that names the branch, as %s',
  (_backEnd, accept) => {
    it.each([
      [{ kind: 'cat', lives: 9 }, true],
      [{ kind: 'cat', lives: 9, horns: 2 }, false],
      [{ kind: 'dog', lives: 'many' }, true],
      [{ kind: 'cow', horns: 2 }, false],
      [{ kind: 'fish' }, false],
      [{ lives: 'many' }, true],
      [{}, true],
      [[], false],
    ])('decides about %j', (value, fits) => {
      expect(accept(value)).toBe(fits)
    })
  },
)
