import type { StageTime } from '../src/traces.ts'

/** A stage or hook with how long it took. */
export interface Timed extends StageTime {
  /** Milliseconds until the next stage; for a hook, until whatever comes next. */
  readonly ms: number
}

/** Returns the stages and hooks of a request, each with how long it took. */
export function timesOf(trace: readonly StageTime[]): Timed[] {
  const end = trace.at(-1)?.at ?? 0
  return trace.map((one, index) => {
    const next = trace.slice(index + 1).find(({ hook }) => one.hook !== undefined || hook === undefined)
    return { ...one, ms: (next?.at ?? end) - one.at }
  })
}

/** The name of a stage, or of the function of a hook. */
export function nameOf({ stage, hook }: StageTime): string {
  return hook === undefined ? stage : hook === '' ? 'anonymous' : hook
}
