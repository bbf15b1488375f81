export { explorer, explorer as default } from './explorer.ts'
export { ExplorerError } from './errors.ts'
export type { ExplorerErrorCode } from './errors.ts'
export type { ExplorerOptions } from './options.ts'
