import { callback, either, flag, oneOf, text } from '../kinds.ts'
import { option, type OptionRows } from '../option-row.ts'

export const errorOptions: OptionRows = {
  frameworkErrors: option(
    callback('(error: CaughtError, request: FastifyRequest, reply: FastifyReply) => unknown'),
    null,
    {
      doc: "Handles errors before a route is found, such as a path that can't be decoded.",
    },
  ),
  exposeErrors: option(flag, true, {
    doc: 'Sends messages of unexpected errors (status 500 and above) to clients. Set it to `false` in production; the log has them.',
    fastify4: 'ours',
    strict: false,
    example: "{ exposeErrors: process.env['NODE_ENV'] !== 'production' }",
    shown: 'always',
  }),
  cacheErrors: option(flag, true, {
    doc: 'Keeps what a reply says about caches when its request fails, as Fastify does. With `false`, an error response has no `ETag`, `Last-Modified`, `Expires`, `CDN-Cache-Control` and `Surrogate-Control` that were set before the error, and a `Cache-Control` without `no-store` or `no-cache` becomes `no-store`. Headers of the error itself, and those that error handlers and `onSend` hooks set, are sent.',
    fastify4: 'ours',
    strict: false,
    example: '{ cacheErrors: false }',
  }),
  problemDetails: option(either(flag, oneOf('accepted')), false, {
    doc: "Sends error responses as `application/problem+json` (RFC 9457), with a list of violations: `true` always, `'accepted'` if the request's `Accept` allows that type. See [errors](guide/replies-and-errors.md#problem-details).",
    fastify4: 'ours',
    strict: 'accepted',
    example: '{ problemDetails: true }',
    shown: 'always',
  }),
  problemTypeBase: option(text, 'about:blank', {
    doc: "Sets the URL to which the error's code is appended in the `type` of problem details. With `about:blank`, nothing is appended, and `title` is the reason phrase of the status.",
    fastify4: 'ours',
    example: "{ problemTypeBase: 'https://example.com/problems#' }",
    shown: 'given',
  }),
  errorCodePrefix: option(text, 'CLO_ERR_', {
    machine: true,
    doc: "Sets the prefix of this app's error codes; `createErrorCodes` creates their constructors. `@cloister/fastify` sets `'FST_ERR_'`.",
    fastify4: 'ours',
  }),
  rootPluginName: option(text, 'root', {
    machine: true,
    doc: "Sets the name of the root context in `app.pluginName`. `@cloister/fastify` sets `'fastify'`.",
    fastify4: "`'fastify'`",
  }),
  allowErrorHandlerOverride: option(flag, true, {
    doc: 'Allows a context to set its error handler more than once.',
    fastify4: '5.x',
  }),
}
