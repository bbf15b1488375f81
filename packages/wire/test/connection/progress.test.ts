import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { progressOf } from '../../src/internal.ts'

interface Parts {
  readonly writableLength: number
  readonly bytesWritten?: number
  readonly _handle?: unknown
}

function socketWith({ writableLength, bytesWritten = writableLength, _handle }: Parts): string {
  const socket = new Socket()
  for (const [name, value] of Object.entries({ writableLength, bytesWritten, _handle }))
    Object.defineProperty(socket, name, { value })
  return progressOf(socket)
}

describe('the progress of a socket', () => {
  it('is nothing when its queue is empty, whatever it has written', () => {
    expect(socketWith({ writableLength: 0, bytesWritten: 5 })).toBe('')
  })

  it('changes with each byte that the system takes', () => {
    const queue = (writeQueueSize: unknown): object => ({ _handle: { writeQueueSize } })
    const states = [
      socketWith({ writableLength: 9, bytesWritten: 9 }),
      socketWith({ writableLength: 8, bytesWritten: 9 }),
      socketWith({ writableLength: 9, bytesWritten: 20 }),
      socketWith({ writableLength: 9, ...queue(7) }),
      socketWith({ writableLength: 9, ...queue(6) }),
    ]
    expect(new Set(states).size).toBe(states.length)
    expect(states).not.toContain('')
  })

  it('does not change when more is written and nothing is taken', () => {
    const before = socketWith({ writableLength: 9, bytesWritten: 20, _handle: { writeQueueSize: 9 } })
    expect(socketWith({ writableLength: 99, bytesWritten: 110, _handle: { writeQueueSize: 9 } })).toBe(before)
  })

  it.each([[null], [undefined], ['text'], [{}]])(
    'changes as well when the handle says nothing: %j',
    (_handle) => {
      const measure = (writableLength: number): string =>
        socketWith({ writableLength, bytesWritten: 9, _handle })
      expect(measure(9)).toBe(measure(9))
      expect(measure(9)).not.toBe(measure(8))
    },
  )
})
