/** Codes of Fastify that no error here has. Apps may compare an error with their constructors, or throw them. */
export const NEVER_THROWN = [
  'FST_ERR_SEND_UNDEFINED_ERR',
  'FST_ERR_HTTP2_INVALID_VERSION',
  'FST_ERR_PARENT_PLUGIN_BOOTED',
  'FST_ERR_LOG_INVALID_LOGGER_CONFIG',
  'FST_ERR_PLUGIN_INVALID_ASYNC_HANDLER',
] as const

/** The constructor of an error that the framework never throws. It can be called without `new`. */
export interface NeverThrown {
  new (...details: readonly unknown[]): Error & { readonly code: string; readonly statusCode: number }
  (...details: readonly unknown[]): Error & { readonly code: string; readonly statusCode: number }
}

/** Creates the constructor of a code. Its message is made of its arguments. */
export function neverThrown(code: string): NeverThrown {
  class FastifyError extends Error {
    readonly code = code
    readonly statusCode = 500
    override readonly name = 'FastifyError'
    constructor(...details: readonly unknown[]) {
      super(details.join(' ') || code)
    }
  }
  function coded(...details: readonly unknown[]): unknown {
    return Reflect.construct(FastifyError, details, new.target ?? FastifyError)
  }
  Object.defineProperty(coded, 'prototype', { value: FastifyError.prototype })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of a function does not say that it constructs
  return coded as unknown as NeverThrown
}
