import { describe, expect, it } from 'vitest'
import type { Exchange, RequestHeaders } from '../../src/exchange/exchange.ts'
import { readAbsoluteTarget, toOriginForm } from '../../src/request/admission.ts'

/** As much of an exchange as is read and replaced. */
function exchangeOf(target: string, headers: RequestHeaders): Exchange {
  const exchange = { target, headers, node: null }
  return exchange as unknown as Exchange
}

describe('a target in absolute form', () => {
  it.each([
    ['http://a', 'a', '/'],
    ['https://a', 'a', '/'],
    ['HTTP://A.b:80/X', 'A.b:80', '/X'],
    ['http://a?b', 'a', '/?b'],
    ['http://a/?b/c?d', 'a', '/?b/c?d'],
    ['http://[::1]:1//x', '[::1]:1', '//x'],
    ['http://a/http://b', 'a', '/http://b'],
    ['http://a/\n', 'a', '/\n'],
  ])('%j names a host and has a path', (target, authority, local) => {
    expect(readAbsoluteTarget(target)).toEqual({ authority, local })
  })

  it.each([
    '',
    '/',
    '/http://a/',
    ' http://a/',
    'a',
    'http:',
    'http:/a',
    'http:a/',
    'http://',
    'http:///a',
    'http://?a',
    'http://:80/',
    'http://a:x/',
    'http://a b/',
    'http://u@a/',
    'http://u:p@a/',
    'http://a\\b/',
    'http://a/#b',
    'http://a#',
    'ftp://a/',
    'httpx://a/',
    'xhttp://a/',
  ])('is not %j', (target) => {
    expect(readAbsoluteTarget(target)).toBeNull()
  })

  it('is replaced by its path, and names the host where nothing else does', () => {
    const named = exchangeOf('http://a/x?y', { host: 'A' })
    toOriginForm(named)
    expect([named.target, named.headers]).toEqual(['/x?y', { host: 'A' }])
    const bare = exchangeOf('http://a:1', {})
    toOriginForm(bare)
    expect([bare.target, bare.headers]).toEqual(['/', { host: 'a:1' }])
  })

  it('is all that is replaced', () => {
    for (const target of ['*', 'ftp://a/', '']) {
      const exchange = exchangeOf(target, {})
      toOriginForm(exchange)
      expect([exchange.target, exchange.headers]).toEqual([target, {}])
    }
  })
})
