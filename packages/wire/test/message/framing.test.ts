import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frame, interimFields, isDate, readPersistence, STREAMED } from '../../src/message/framing.ts'
import type { FieldValue, Message } from '../../src/message/framing.ts'

const values = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom<FieldValue>(
    '0',
    '3',
    3,
    '5',
    '',
    'x',
    '5, 5',
    ['5'],
    ['5', '6'],
    'NaN',
    '+5',
    '5.0',
    -1,
    1.5,
  ),
  fc.string(),
)
const codings = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom<FieldValue>('chunked', 'Chunked', 'gzip', 'gzip, chunked', '', ['chunked', 'chunked']),
)
const messages: fc.Arbitrary<Message> = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST'),
  status: fc.constantFrom(200, 201, 204, 205, 206, 304, 404, 500, 999),
  httpVersion: fc.constantFrom('1.0', '1.1', '2.0'),
  size: fc.constantFrom(STREAMED, 0, 3, 5, 1000),
  hasTrailers: fc.boolean(),
})

describe('the framing of a response', () => {
  it('is one, whatever the application has said', () => {
    fc.assert(
      fc.property(messages, values, codings, (message, length, coding) => {
        const { method, status, httpVersion, size, hasTrailers } = message
        const framing = frame(message, { length, coding })
        if (framing.length !== null) expect(framing.length).toMatch(/^\d{1,15}$/)
        const hasContent = method !== 'HEAD' && status !== 204 && status !== 304
        expect(framing.by === 'none').toBe(!hasContent)
        if (!hasContent) return
        expect(framing.by === 'length').toBe(framing.length !== null)
        // A length is that of the content, where that is known.
        if (framing.by === 'length' && size !== STREAMED) expect(framing.length).toBe(String(size))
        if (httpVersion === '1.0') expect(framing.by).not.toBe('chunked')
        else expect(framing.by).not.toBe('close')
        if (hasTrailers && httpVersion !== '1.0') expect(framing.by).toBe('chunked')
      }),
    )
  })

  it('is the length that a stream declares, and chunks where it declares none or a coding beside it', () => {
    const stream = {
      method: 'GET',
      status: 200,
      httpVersion: '1.1',
      size: STREAMED,
      hasTrailers: false,
    } as const
    const by = (length: FieldValue, coding?: FieldValue): string => frame(stream, { length, coding }).by
    expect([by('5'), by(5), by(['5']), by('0')]).toEqual(['length', 'length', 'length', 'length'])
    expect([by(undefined), by('x'), by('5, 5'), by('5', 'chunked')]).toEqual(Array(4).fill('chunked'))
    expect(frame({ ...stream, httpVersion: '1.0' }, { length: undefined, coding: undefined }).by).toBe(
      'close',
    )
  })

  it('keeps the length that responses to HEAD and 304 declare, and no other than 0 for 204', () => {
    const of = (method: string, status: number, size: number, length: FieldValue): string | null =>
      frame({ method, status, httpVersion: '1.1', size, hasTrailers: false }, { length, coding: undefined })
        .length
    expect([of('HEAD', 200, 4, '9'), of('HEAD', 200, 4, undefined), of('HEAD', 200, 0, undefined)]).toEqual([
      '9',
      '4',
      null,
    ])
    expect([of('GET', 304, 0, '9'), of('GET', 304, 4, undefined), of('GET', 304, 0, 'x')]).toEqual([
      '9',
      null,
      null,
    ])
    expect([of('GET', 204, 0, '0'), of('GET', 204, 0, '9'), of('GET', 204, 0, undefined)]).toEqual([
      '0',
      null,
      null,
    ])
  })

  it.each([
    [{ length: 'NaN', coding: undefined }, /^content-length is "NaN"/],
    [{ length: '9', coding: undefined }, /^content-length is 9, and the content has 3 bytes/],
    [{ length: undefined, coding: 'gzip' }, /^transfer-encoding is "gzip"/],
  ])('says what the application contradicts: %j', (said, expected) => {
    const message = { method: 'GET', status: 200, httpVersion: '1.1', size: 3, hasTrailers: false } as const
    expect(frame(message, said).contradiction).toMatch(expected)
    expect(frame(message, { length: '3', coding: 'chunked' }).contradiction).toBeNull()
  })
})

describe('the persistence of a connection', () => {
  it.each<[FieldValue, boolean, string]>([
    [undefined, false, ''],
    ['close', true, ''],
    ['Close, x', true, 'x'],
    ['keep-alive', false, ''],
    [['upgrade', 'x, close'], true, 'upgrade, x'],
    ['closed', false, 'closed'],
    [', x y,', false, ''],
    ['', false, ''],
  ])('is read of %j', (connection, closes, others) => {
    expect(readPersistence(connection)).toEqual({ closes, others })
  })
})

it('is no part of an interim response', () => {
  const fields = { link: '</a>', 'Content-Length': '5', 'transfer-encoding': 'chunked', Connection: 'close' }
  expect(interimFields(fields)).toEqual({ link: '</a>' })
})

it('keeps a date that is one', () => {
  expect(isDate(new Date(0).toUTCString())).toBe(true)
  expect(['x', '', ['Thu, 01 Jan 1970 00:00:00 GMT'], undefined, 5].map((date) => isDate(date))).toEqual(
    Array(5).fill(false),
  )
})
