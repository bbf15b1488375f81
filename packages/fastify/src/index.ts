// Values, and the types that differ here, have a module of their own: compilers that cannot follow `export *` to the
// framework read its declarations alone.
export {
  fastify,
  cloister,
  default,
  errorCodes,
  CloisterError,
  createErrorCodes,
  definePlugin,
  LogController,
} from './fastify.ts'
export type { AppOn, ErrorCode, FastifyErrorCodes, FastifyFactory } from './fastify.ts'
export type * from 'cloister/types'
