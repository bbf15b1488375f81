export { run } from './run.ts'
export type { Outcome } from './outcome.ts'
