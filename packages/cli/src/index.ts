export { run } from './run.ts'
export type { Outcome } from './run.ts'
export type { ExitCode } from './session.ts'
