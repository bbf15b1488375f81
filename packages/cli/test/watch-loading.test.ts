import { afterEach, describe, expect, it, vi } from 'vitest'

import { watchLoading } from '../src/watch-loading.ts'

describe('an app that is slow to load', () => {
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it('is named, until it is loaded', () => {
    vi.useFakeTimers()
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const listeners = process.listenerCount('exit')
    const stop = watchLoading('app.mjs')
    vi.advanceTimersByTime(14_000)
    expect(written).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1000)
    expect(written.mock.calls).toEqual([
      [expect.stringContaining('the app of app.mjs is not loaded after 15 s')],
    ])
    stop()
    watchLoading('other.mjs')()
    vi.advanceTimersByTime(20_000)
    expect(written).toHaveBeenCalledTimes(1)
    expect(process.listenerCount('exit')).toBe(listeners)
  })
})
