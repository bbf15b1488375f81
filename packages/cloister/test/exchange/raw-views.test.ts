import { describe, expect, it } from 'vitest'
import { HTTP1 } from '../../src/exchange/exchange.ts'
import type { Exchange } from '../../src/exchange/exchange.ts'
import type { Outcome } from '../../src/exchange/ends.ts'
import { requestViewOf, responseViewOf } from '../../src/exchange/raw-views.ts'

interface End {
  on(event: string, listener: () => void): End
  once(event: string, listener: () => void): End
  off(event: string, listener: () => void): End
  readonly writableFinished: boolean
  readonly destroyed: boolean
}

/** The end of a response, and what ends it. */
function open(): { raw: End; end: (outcome: Outcome) => void } {
  const callbacks: ((outcome: Outcome) => void)[] = []
  const onFinished = (callback: (outcome: Outcome) => void): void => void callbacks.push(callback)
  const turn = { isGone: false, isComplete: false }
  const exchange: Exchange = Object({ onFinished, headersSent: false, turn, protocol: HTTP1 })
  return {
    raw: Object(responseViewOf(exchange, {})),
    end: (outcome) => callbacks.forEach((call) => call(outcome)),
  }
}

describe('the end of a response, where there is no object of Node', () => {
  it('is listened to: once, always, and no more', () => {
    const { raw, end } = open()
    const seen: string[] = []
    const off = (): void => void seen.push('off')
    raw.once('finish', () => seen.push('finish')).on('close', () => seen.push('close'))
    raw.on('close', off).off('close', off)
    end(null)
    end(null)
    expect(seen).toEqual(['finish', 'close', 'close'])
    expect([raw.writableFinished, raw.destroyed]).toEqual([true, true])
  })

  it('is no finish where the client has gone', () => {
    const { raw, end } = open()
    const seen: string[] = []
    raw.on('finish', () => seen.push('finish')).on('close', () => seen.push('close'))
    end(new Error('gone'))
    expect([seen, raw.writableFinished, raw.destroyed]).toEqual([['close'], false, true])
  })

  it.each(['emit', 'write', 'constructor'])('has no %s', (member) => {
    const { raw } = open()
    expect(member in raw).toBe(false)
    expect(() => Reflect.get(raw, member)).toThrow(
      expect.objectContaining({ code: 'CLO_ERR_RAW_UNAVAILABLE' }),
    )
  })
})

describe('the raw objects of a transport without Node', () => {
  it('show headers as the response of Node does, and set those of the reply', () => {
    const headers: Record<string, unknown> = { 'x-own': 'reply' }
    const turn = { hasBegun: false, isGone: false, isComplete: false }
    const exchange: Exchange = Object({ onFinished: () => {}, turn })
    const raw: {
      setHeader(name: string, value: unknown): unknown
      appendHeader(name: string, value: unknown): unknown
      removeHeader(name: string): void
      getHeader(name: string): unknown
      getHeaders(): unknown
      getHeaderNames(): unknown
      hasHeader(name: string): boolean
    } = Object(responseViewOf(exchange, Object(headers)))
    raw.setHeader('X-Frame-Options', 'DENY')
    raw.appendHeader('Vary', 'Origin')
    raw.appendHeader('vary', ['Accept'])
    raw.removeHeader('X-Own')
    expect(headers).toEqual({ 'x-frame-options': 'DENY', vary: ['Origin', 'Accept'] })
    expect([raw.getHeader('VARY'), raw.hasHeader('x-own'), raw.getHeaderNames()]).toEqual([
      ['Origin', 'Accept'],
      false,
      ['x-frame-options', 'vary'],
    ])
    expect(raw.getHeaders()).toEqual(headers)
    turn.hasBegun = true
    expect(() => raw.setHeader('x', '1')).toThrow(expect.objectContaining({ code: 'ERR_HTTP_HEADERS_SENT' }))
    expect(() => raw.removeHeader('vary')).toThrow('Cannot remove headers')
  })

  it('show what a request says, and nothing of its body', () => {
    const exchange: Exchange = Object({
      method: 'GET',
      target: '/a',
      originalTarget: '/b',
      headers: { host: 'x' },
      peer: { address: '::1', port: 1, isEncrypted: true },
      httpVersion: '1.1',
      framing: 'none',
    })
    const raw: Record<string, unknown> = Object(requestViewOf(exchange))
    expect([raw['method'], raw['url'], raw['headers'], raw['httpVersion']]).toEqual([
      'GET',
      '/a',
      { host: 'x' },
      '1.1',
    ])
    expect('on' in raw).toBe(false)
    for (const use of [(): unknown => raw['on'], (): unknown => (raw['url'] = '/c')])
      expect(use).toThrow(expect.objectContaining({ code: 'CLO_ERR_RAW_UNAVAILABLE' }))
  })
})
