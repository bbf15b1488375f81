import type { adviseHabit as replaced } from '../request/errors/other-frameworks.ts'

/** Adds no help: bundles for workers have less to say about mistakes of the app. */
export const adviseHabit: typeof replaced = () => {}
