import { listen } from '../transport/listen.ts'
export const old: string = listen
