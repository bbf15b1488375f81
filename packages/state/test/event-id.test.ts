import { afterEach, describe, expect, it, vi } from 'vitest'

import { LOG_START } from '../src/cursor.ts'
import { EventIds } from '../src/topics/event-id.ts'

const KEEP_MS = 600_000
const NOW = 1_800_000_000_000

describe('the id of the start of a log', () => {
  afterEach(() => void vi.useRealTimers())

  /** Returns the cursor that a process reads from an id of a process whose clock is ahead by some time. */
  function cursorAfter(ageMs: number, aheadMs: number): string | null {
    const ids = new EventIds('log', KEEP_MS)
    vi.useFakeTimers({ now: NOW + aheadMs, toFake: ['Date'] })
    const id = ids.idOf(LOG_START)
    vi.setSystemTime(NOW + ageMs)
    return ids.cursorOf(id)
  }

  it('is valid while nothing of the log can have expired', () => {
    expect(cursorAfter(1000, 0)).toBe(LOG_START)
    expect(cursorAfter(1000, 60_000)).toBe(LOG_START)
    expect(cursorAfter(1000, -60_000)).toBe(LOG_START)
  })

  it('is too old later, also if another process with a wrong clock made it', () => {
    expect(cursorAfter(KEEP_MS, 0)).toBeNull()
    for (const hours of [-24, -1, 1, 24]) expect(cursorAfter(KEEP_MS, hours * 3_600_000)).toBeNull()
    for (const minutes of [-4, 4]) expect(cursorAfter(KEEP_MS, minutes * 60_000)).toBeNull()
  })
})
