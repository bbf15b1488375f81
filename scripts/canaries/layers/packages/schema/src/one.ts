import { two } from './two.ts'
export const one: string = two
