/** What the command `cloister` loads, for it alone: any release may change it. */
export { migrate } from './command.ts'
