import { callback, either, flag, oneOf, text } from '../kinds.ts'
import { option, type OptionRows } from '../option-row.ts'

export const errorOptions: OptionRows = {
  frameworkErrors: option(
    callback('(error: CaughtError, request: FastifyRequest, reply: FastifyReply) => unknown'),
    null,
    {
      doc: 'Handles errors that occur before a route is found, such as a path that cannot be decoded.',
    },
  ),
  exposeErrors: option(flag, true, {
    doc: 'Sends the messages of unexpected errors (status 500 and above) to clients. Set it to `false` in production: the log contains the messages.',
    fastify4: 'ours',
    strict: false,
    example: "{ exposeErrors: process.env['NODE_ENV'] !== 'production' }",
    shown: 'always',
  }),
  problemDetails: option(either(flag, oneOf('accepted')), false, {
    doc: "Sends the framework's error responses as `application/problem+json` (RFC 9457), with a list of violations: `true` always, `'accepted'` if the `Accept` header of the request allows that type. Clients that only accept JSON then get the usual format. See [errors](guide/replies-and-errors.md#problem-details).",
    fastify4: 'ours',
    strict: 'accepted',
    example: '{ problemDetails: true }',
  }),
  problemTypeBase: option(text, 'about:blank', {
    doc: 'Sets the prefix of `type` in problem details; the code of the error is appended. `about:blank` is not extended: then `title` is the reason phrase of the status, and `code` identifies the problem.',
    fastify4: 'ours',
    example: "{ problemTypeBase: 'https://example.com/problems#' }",
  }),
  errorCodePrefix: option(text, 'CLO_ERR_', {
    doc: "Sets the prefix of the codes of this app's errors; `createErrorCodes` creates the constructors for it. `@cloister/fastify` sets `'FST_ERR_'`.",
    fastify4: 'ours',
  }),
  rootPluginName: option(text, 'root', {
    doc: "Sets the name of the root context in `app.pluginName`. `@cloister/fastify` sets `'fastify'`.",
    fastify4: "`'fastify'`",
  }),
  allowErrorHandlerOverride: option(flag, true, {
    doc: 'Allows a context to set its error handler more than once.',
    fastify4: '5.x',
  }),
}
