import type { Profiler } from 'node:inspector/promises'

/** What the runner asks of a server process. */
export type Question =
  | { readonly ask: 'cpu' }
  | { readonly ask: 'startProfile' }
  | { readonly ask: 'stopProfile' }

/** What a server process answers. */
export type Answer =
  | { readonly tell: 'listening'; readonly port: number }
  | { readonly tell: 'cpu'; readonly micros: number }
  | { readonly tell: 'profiling' }
  | { readonly tell: 'profile'; readonly profile: Profiler.Profile }
