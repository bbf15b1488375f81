import { describe, expect, it } from 'vitest'
import { compareRuns } from '../../src/exchanges/compare-responses.ts'
import type { Exchange, SeenResponse } from '../../src/exchanges/exchange.ts'

const response = (body: unknown, rest: Partial<SeenResponse> = {}): SeenResponse => ({
  status: 200,
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...rest,
})
const exchange = (one: SeenResponse | null): Exchange => ({
  kind: 'drawn',
  key: 'GET /',
  request: { method: 'GET', url: '/', headers: {}, body: null },
  response: one,
  callSite: 'app.js:1',
})
const compare = (one: SeenResponse | null, other: SeenResponse | null): string[] =>
  compareRuns([exchange(one)], [exchange(one)], [exchange(other)]).differences.flatMap(({ changes }) =>
    changes.map(({ what, before, after }) => `${what}: ${before} -> ${after}`),
  )

const EQUAL: readonly (readonly [string, SeenResponse, SeenResponse])[] = [
  ['the order of members', response('{"a":1,"b":2}'), response('{"b":2,"a":1}')],
  ['times', response({ at: '2026-01-01T00:00:00.000Z' }), response({ at: '2026-01-02T10:00:00Z' })],
  [
    'ids',
    response('id 11111111-1111-4111-8111-111111111111'),
    response('id 22222222-1111-4111-8111-111111111111'),
  ],
  ['ports', response('http://localhost:34567/a'), response('http://localhost:45678/a')],
  [
    'the fields of the connection',
    response('', { headers: { date: 'a' } }),
    response('', { headers: { date: 'b' } }),
  ],
  [
    'the character set of JSON',
    response('', { headers: { 'content-type': 'application/json' } }),
    response('', { headers: { 'content-type': 'application/json; charset=utf-8' } }),
  ],
]

describe('responses of two runs', () => {
  it.each(EQUAL)('are equal but for %s', (_what, one, other) => {
    expect(compare(one, other)).toEqual([])
  })

  it('differ where they do, with the place in the body', () => {
    const one = response({ a: { b: [1, { c: 'x' }] } }, { headers: { 'x-a': '1' } })
    const other = response({ a: { b: [1, { c: 'y' }] }, d: 1 }, { status: 201 })
    expect(compare(one, other)).toEqual([
      'status: 200 -> 201',
      'header x-a: 1 -> none',
      'body/a/b/1/c: x -> y',
      'body/d: none -> 1',
    ])
    expect(compare(one, null)).toEqual(['response: 200 -> none'])
  })

  it('are not compared in what changes without a change of framework', () => {
    const draw = (count: number): Exchange => exchange(response({ count, a: 1 }))
    expect(compareRuns([draw(1)], [draw(2)], [draw(5)])).toMatchObject({ equal: 1, differences: [] })
    const failing = exchange(response('', { status: 500 }))
    expect(compareRuns([exchange(response(''))], [failing], [failing])).toMatchObject({
      equal: 0,
      unsteady: 1,
      differences: [],
    })
  })

  it('are counted where one of the runs does not have them', () => {
    const one = exchange(response('a'))
    expect(compareRuns([one], [one], [])).toMatchObject({ unmatched: 1, equal: 0 })
    expect(compareRuns([one], [], [exchange(response('b'))])).toMatchObject({ unsteady: 1, differences: [] })
  })
})
