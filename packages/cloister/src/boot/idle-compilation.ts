import type { ContextServices } from '../context/services.ts'

const SLICE_MS = 4
const PAUSE_MS = 20

/** Schemas that were put off are compiled in slices of a few milliseconds while nothing else waits. */
export function compileWhenIdle(app: Pick<ContextServices, 'engine' | 'phase'>): void {
  const slice = (): void => {
    if (app.phase !== 'ready') return
    const until = performance.now() + SLICE_MS
    let more = true
    while (more && performance.now() < until) more = app.engine.compileNext()
    if (more) setTimeout(slice, PAUSE_MS).unref()
  }
  setTimeout(slice, PAUSE_MS).unref()
}
