import { describe, expect, it } from 'vitest'
import { Progress, progressOf } from '../../../src/transport/node/progress.ts'
import { FakeSocket } from './fakes.ts'

describe('the progress of a client', () => {
  it('is measured from the last time that it read', () => {
    const progress = new Progress()
    const times = [
      progress.stalledFor(100, 'a'),
      progress.stalledFor(300, 'a'),
      progress.stalledFor(400, 'b'),
      progress.stalledFor(450, 'b'),
    ]
    expect(times).toEqual([0, 200, 0, 50])
  })

  it('is no stall while nothing waits for it', () => {
    const progress = new Progress()
    progress.stalledFor(100, 'a')
    expect([progress.stalledFor(300, ''), progress.stalledFor(900, '')]).toEqual([0, 0])
    expect([progress.stalledFor(1000, 'a'), progress.stalledFor(1100, 'a')]).toEqual([0, 100])
  })
})

describe('what a socket has to write', () => {
  const socketWith = (parts: object): string => progressOf(Object.assign(new FakeSocket(), parts).asSocket)

  it('is nothing when its queue is empty, whatever it has written', () => {
    expect(socketWith({ bytesWritten: 5 })).toBe('')
  })

  it('changes with each byte that is written, queued, or taken by the system', () => {
    const queue = (writeQueueSize: unknown): object => ({ _handle: { writeQueueSize } })
    const states = [
      socketWith({ writableLength: 9 }),
      socketWith({ writableLength: 8 }),
      socketWith({ writableLength: 9, bytesWritten: 1 }),
      socketWith({ writableLength: 9, ...queue(7) }),
      socketWith({ writableLength: 9, ...queue(6) }),
    ]
    expect(new Set(states).size).toBe(states.length)
    expect(states).not.toContain('')
  })

  it.each([[null], [undefined], ['text'], [{}]])(
    'changes as well when the handle says nothing: %j',
    (_handle) => {
      const measure = (writableLength: number): string => socketWith({ writableLength, _handle })
      expect(measure(9)).toBe(measure(9))
      expect(measure(9)).not.toBe(measure(8))
    },
  )
})
