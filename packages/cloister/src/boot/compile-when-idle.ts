import type { ContextServices } from '../context/services.ts'
import { startIdleAlarm } from '../platform.ts'

const SLICE_MS = 4
const PAUSE_MS = 20

/** Compiles deferred schemas in short slices, with pauses in which the app handles requests. */
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
