import { createError } from '../../errors.ts'
import { typeName } from '../../guards.ts'
import { callback, either, flag, integer, object, oneOf, texts } from '../kinds.ts'
import { option, type OptionRows } from '../option-row.ts'

const RAW_HANDLER = '(path: string, request: RawRequestOf, reply: RawReplyOf) => void'

export const routerOptions: OptionRows = {
  ignoreTrailingSlash: option(flag, false, {
    doc: 'Treats `/a` and `/a/` as one path.',
    shown: 'always',
  }),
  ignoreDuplicateSlashes: option(flag, false, {
    doc: 'Treats `//a` and `/a` as one path.',
    shown: 'always',
  }),
  caseSensitive: option(flag, true, {
    doc: 'Distinguishes upper and lower case in paths. With `false`, values of parameters keep their case.',
    shown: 'always',
  }),
  allowUnsafeRegex: option(flag, false, {
    doc: 'Allows regular expressions in paths that `safe-regex2` rejects: a repeated group with a repetition in it, or many repetitions. They run in linear time, unless they have lookarounds or backreferences.',
    shown: 'always',
  }),
  useSemicolonDelimiter: option(flag, true, {
    doc: 'Starts the query string at `;` too, not only at `?`.',
    fastify4: 'same (5.x: `false`)',
    shown: 'always',
  }),
  maxParamLength: option(integer({ min: 1, unit: 'characters' }), 100, {
    doc: 'Limits the length of a path parameter; a path with a longer one matches no route.',
    shown: 'always',
  }),
  onMaxParamLength: option(callback(RAW_HANDLER), null, {
    doc: "Handles requests with a path parameter longer than `maxParamLength`, with Node's request and response.",
    fastify4: '5.x',
  }),
  onBadUrl: option(callback(RAW_HANDLER), null, {
    doc: "Handles requests whose path cannot be decoded, with Node's request and response; the default sends 400.",
    fastify4: '5.x',
  }),
  defaultRoute: option(callback('(request: RawRequestOf, reply: RawReplyOf) => void'), null, {
    doc: "Handles requests that match no route, with Node's request and response, before hooks and not-found handlers.",
    fastify4: '5.x',
  }),
  buildPrettyMeta: option(callback('(route: never) => object'), null, {
    doc: 'Returns the properties of a route that `printRoutes({ includeMeta: true })` prints.',
    fastify4: '5.x',
  }),
  compile: option(flag, false, {
    doc: 'Has no effect; accepted for apps that set it.',
    fastify4: '5.x',
    shown: 'routerOptions',
  }),
  constraints: option(object('{ readonly [name: string]: ConstraintStrategy<unknown, unknown> }'), null, {
    doc: 'Adds constraint strategies by name, which select between routes with the same path.',
  }),
  querystringParser: option(callback('(query: string) => { [key: string]: unknown }'), null, {
    doc: 'Parses query strings. The default parser returns an array for a repeated name.',
    example: '{ querystringParser: (query) => Object.fromEntries(new URLSearchParams(query)) }',
    refuse: (given) => createError('QSP_NOT_FN', { type: typeName(given) }),
  }),
}

export const routingOptions: OptionRows = {
  ...routerOptions,
  exposeHeadRoutes: option(flag, true, {
    doc: 'Adds a HEAD route for each GET route.',
    shown: 'always',
  }),
  methodNotAllowed: option(flag, false, {
    doc: 'Responds to a method that a path has no route for with 405 and the methods that it has in `Allow`, and to `OPTIONS` with 204 (RFC 9110 sections 15.5.6 and 9.3.7). Without it, the not-found handler responds.',
    fastify4: 'ours',
    strict: true,
  }),
  contentNegotiation: option(flag, false, {
    doc: 'Refuses a request whose `Accept` excludes all media types that the route declares for success (`content` of its response schemas) with 406 before its body is read (RFC 9110 section 15.5.7), and names the media types that the route reads in `Accept` of a 415 (section 15.5.16), in `Accept-Patch` for PATCH (RFC 5789) and in `Accept-Query` for QUERY (RFC 10008). Without it, such a route sends its first type.',
    fastify4: 'ours',
    strict: true,
  }),
  unknownRouteOptions: option(either(oneOf('allow', 'refuse'), texts), 'allow', {
    doc: "Sets what happens to an unknown route option. `'allow'` accepts it for plugins, unless its name is close to a known one; `'refuse'` makes it an error; a list names the options of plugins.",
    fastify4: 'ours',
    strict: 'refuse',
    example: "{ unknownRouteOptions: ['websocket'] }",
  }),
  undefinedHooks: option(oneOf('warn', 'refuse'), 'warn', {
    doc: "Sets what happens to a route, a not-found handler, or the options of a plugin, with a hook, an error handler or a compiler that is `undefined`, such as a misspelt import, or a decorator that does not exist yet. An undefined hook runs nothing, and an undefined handler leaves the work to another: `'warn'` emits the process warning `CLO_WRN_HOOK_MISSING`, or `CLO_WRN_PLUGIN_HOOK_MISSING` for a plugin, `'refuse'` makes it an error. The same holds for `setReplySerializer`, `setGenReqId` and `setSchemaController` with `undefined` or `null`, which change nothing (`CLO_WRN_SETTING_MISSING`). For none, leave the option out; for no hook, `[]` does too. Routes and registrations of installed packages are not looked at.",
    fastify4: 'ours: not noticed',
    strict: 'refuse',
    example: "{ undefinedHooks: 'refuse' }",
    throws: ['ROUTE_OPTION_INVALID'],
  }),
  rewriteUrl: option(callback('(this: FastifyInstance, request: RawRequestOf) => string'), null, {
    doc: 'Returns the target to route; `request.originalUrl` keeps the received one.',
    fastify4: 'same; if it throws, the response has status 500',
    example: "{ rewriteUrl: (request) => (request.url ?? '/').replace(/^\\/v1/, '') }",
  }),
}
