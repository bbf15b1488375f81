import type { ContextServices } from '../context/services.ts'
import { startIdleAlarm } from '../platform.ts'

/** Time that one slice of idle compilation may take, in milliseconds. */
const SLICE_MS = 4
/** Time between two slices, in milliseconds. */
const PAUSE_MS = 20

/** Compiles deferred schemas in slices of a few milliseconds, with pauses for requests. */
export function compileWhenIdle(app: Pick<ContextServices, 'engine' | 'phase'>): void {
  const slice = (): void => {
    if (app.phase !== 'ready') return
    const until = performance.now() + SLICE_MS
    let more = true
    while (more && performance.now() < until) more = app.engine.compileNext()
    if (more) startIdleAlarm(slice, PAUSE_MS)
  }
  startIdleAlarm(slice, PAUSE_MS)
}
