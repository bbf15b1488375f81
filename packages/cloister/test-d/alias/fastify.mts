// What plugins find under the name `fastify` in an app that aliases it. The export for `require` is left out: the
// declarations of one plugin are CommonJS and look for a type on the value that `require` gives.

export { cloister, cloister as default, errorCodes } from '../../src/index.ts'
export type * from '../../src/types/public.ts'
