export { bearerAuth, bearerAuth as default, verifyBearerAuthFactory } from './bearer-auth.ts'
export { BearerAuthOptionError, UnauthorizedError } from './errors.ts'
export type { BearerAuthOptionCode, UnauthorizedCode } from './errors.ts'
export type {
  AddHook,
  AuthAnswer,
  BearerAuthApp,
  BearerAuthOptions,
  BearerAuthPlugin,
  BearerReply,
  BearerRequest,
  Done,
  VerifyBearerAuth,
  VerifyBearerAuthFactory,
} from './types.ts'
