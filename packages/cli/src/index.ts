export { run } from './run.ts'
export type { Outcome } from './run-program.ts'
export type { ExitCode } from './session.ts'
