// What the processes of `cloister replicas` load: the plugin for Vitest, the hooks for Node, and the facade.
export { load, resolve } from './module-hooks.ts'
export { replicate } from './replicate.ts'
export { replicas } from './vite-plugin.ts'
export type { LoadReplica } from './replicate.ts'
export type { ReplicasPlugin } from './vite-plugin.ts'
