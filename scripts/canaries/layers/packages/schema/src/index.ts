import { names } from 'cloister'
import { one } from './one.ts'
export const name: string = names.join() + one
