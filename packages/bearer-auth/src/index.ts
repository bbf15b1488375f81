export { bearerAuth, bearerAuth as default, verifyBearerAuthFactory } from './bearer-auth.ts'
export { bearerGuard } from './bearer-guard.ts'
export type { BearerGuard } from './bearer-guard.ts'
export { BearerAuthOptionError, UnauthorizedError } from './errors.ts'
export type { BearerAuthOptionCode, UnauthorizedCode } from './errors.ts'
export type {
  AddHook,
  AuthResult,
  BearerAuthApp,
  BearerAuthOptions,
  BearerAuthPlugin,
  BearerGuardOptions,
  BearerReply,
  BearerRequest,
  Done,
  VerifyBearerAuth,
  VerifyBearerAuthFactory,
} from './types.ts'
