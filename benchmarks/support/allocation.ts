import { GCProfiler, getHeapStatistics } from 'node:v8'

/**
 * Counts the bytes that are allocated on V8's heap from now on; the returned function gives their sum.
 *
 * The heap only grows between two collections. What it grew by from the end of one to the beginning of the next,
 * summed up over all of them, is what was allocated, whatever has been freed. Sweeping that V8 puts off until after a
 * collection makes the sum a little too small; for young objects, which requests are made of, there is none.
 * Buffers outside the heap are not counted.
 */
export function countAllocation(): () => number {
  const profiler = new GCProfiler()
  let lastUsed = getHeapStatistics().used_heap_size
  profiler.start()
  return () => {
    const finalUsed = getHeapStatistics().used_heap_size
    let bytes = 0
    for (const { beforeGC, afterGC } of profiler.stop().statistics) {
      bytes += beforeGC.heapStatistics.usedHeapSize - lastUsed
      lastUsed = afterGC.heapStatistics.usedHeapSize
    }
    return bytes + finalUsed - lastUsed
  }
}
