import { used } from './parts.ts'
export const name: string = used
