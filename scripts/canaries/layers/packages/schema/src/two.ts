import { one } from './one.ts'
export { one as again } from './one.ts'
import { name } from '../../plugin/src/index.ts'
import { nothing } from './nothing'
export const two: string = one + name + nothing
