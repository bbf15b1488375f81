import { listen } from '../transport/listen.ts'
export const context: unknown = listen
