import { describe, expect, it } from 'vitest'
import { HTTP1 } from '../../src/exchange/exchange.ts'
import type { Exchange } from '../../src/exchange/exchange.ts'
import type { Outcome } from '../../src/exchange/ends.ts'
import { responseEndOf } from '../../src/exchange/response-end.ts'

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
    raw: Object(responseEndOf(exchange)),
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

  it.each(['emit', 'write', 'setHeader'])('has no %s', (member) => {
    const { raw } = open()
    expect(member in raw).toBe(false)
    expect(() => Reflect.get(raw, member)).toThrow(
      expect.objectContaining({ code: 'CLO_ERR_RAW_UNAVAILABLE' }),
    )
  })
})
