import { userFrame } from './call-site.ts'
import type { ErrorName } from './error-table.ts'

/** Where each code is an anchor. */
const PAGE = 'https://github.com/cloisterjs/cloister/blob/main/docs/errors.md'

/**
 * What to do about an error whose message does not say it. The messages are those that suites written for Fastify
 * compare, so what they lack is here.
 */
// oxfmt-ignore
export const remedies: Readonly<Partial<Record<ErrorName, string>>> = {
  HANDLER_TIMEOUT: 'Return a value or call reply.send() on every way through the handler; raise handlerTimeout where it takes longer.',
  REP_ALREADY_SENT: 'Send once: return reply after reply.send(), and return no other value from that handler.',
  REP_INVALID_PAYLOAD_TYPE: 'Send a string, a Buffer or a stream with this content type; leave the type out to send an object as JSON.',
  FAILED_SERIALIZATION: 'Send what schema.response declares; without a schema, what JSON has a form for (no BigInt, no object within itself).',
  MISSING_SERIALIZATION_FN: 'Declare the status in schema.response.',
  REQ_INVALID_VALIDATION_INVOCATION: 'Declare the part in the schema of the route, or pass a schema as the second argument.',
  OPTIONS_NOT_OBJ: 'Write cloister({ logger: true }), with the options in one object.',
  INIT_OPTS_INVALID: 'The options are listed in docs/options.md.',
  LISTEN_OPTIONS_INVALID: "Write app.listen({ port: 3000 }); a port from the environment is Number(process.env['PORT']).",
  LOG_INVALID_LOGGER: 'Pass a logger with all of these methods, such as pino().',
  ERROR_HANDLER_NOT_FN: 'Pass a function: app.setErrorHandler((error, request, reply) => { … }).',
  NOT_FOUND_HANDLER_ALREADY_SET: 'Keep one of them, or set the other in a plugin with a prefix.',
  ERROR_HANDLER_ALREADY_SET: 'Keep one of them, or set the other in a plugin.',
  CTP_INVALID_HANDLER: 'Pass a function: app.addContentTypeParser(type, async (request, payload) => value).',
  CTP_INVALID_TYPE: "Write the media type, as in 'application/xml'.",
  CTP_EMPTY_TYPE: "Write the media type, as in 'application/xml', or '*' for all others.",
  CTP_INVALID_PARSE_TYPE: "Write parseAs: 'string' or 'buffer'.",
  DEC_ALREADY_PRESENT: 'Choose another name, or register the plugin that adds it once.',
  DEC_AFTER_START: 'Decorate before app.ready(), app.listen() and the first app.inject().',
  DEC_MISSING_DEPENDENCY: 'Decorate with it before, or register the plugin that does.',
  DEC_UNDECLARED: 'Declare it before the app is ready, as in app.decorateRequest(name, null).',
  HOOK_INVALID_TYPE: "Write app.addHook('onRequest', async (request, reply) => { … }).",
  HOOK_INVALID_HANDLER: "Pass a function, and not what it returns: app.addHook('onRequest', hook).",
  HOOK_INVALID_ASYNC_HANDLER: "Remove the parameter done, or the word async.",
  HOOK_NOT_SUPPORTED: 'The hooks are listed in docs/guide/hooks.md.',
  SCH_ALREADY_PRESENT: 'Add each schema once, in the context above all that use it.',
  SCH_MISSING_ID: "Write app.addSchema({ $id: 'user', type: 'object', … }).",
  SCH_DUPLICATE: 'Remove one of the two.',
  INVALID_URL: "Write the path as a string, as in app.get('/users', handler).",
  ROUTE_PATH_INVALID: "Write a path such as '/users/:id'.",
  ROUTE_OPTIONS_NOT_OBJ: 'Write app.get(path, { schema }, handler): options, then the handler.',
  ROUTE_DUPLICATED_HANDLER: 'Pass the handler as the last argument, or as the option handler.',
  ROUTE_HANDLER_NOT_FN: 'Pass the function itself, and not what it returns: handler in place of handler().',
  ROUTE_MISSING_HANDLER: 'Pass one: app.get(path, options, handler).',
  ROUTE_METHOD_INVALID: "Write method: 'GET', or a list of methods.",
  ROUTE_METHOD_NOT_SUPPORTED: 'Write one of app.supportedMethods, or add it with app.addHttpMethod(method).',
  ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED: 'GET and HEAD have no body: use schema.querystring, or the method POST.',
  ROUTE_BODY_LIMIT_OPTION_NOT_INT: 'Write a number of bytes: 1024 * 1024 is 1 MiB.',
  ROUTE_HANDLER_TIMEOUT_OPTION_NOT_INT: 'Write a number of milliseconds: 30_000 are 30 seconds.',
  ROUTE_LOG_LEVEL_INVALID: "Write 'trace', 'debug', 'info', 'warn', 'error', 'fatal' or 'silent'.",
  ROUTE_OPTION_UNKNOWN: 'Correct the name, or put what is for your own code into config.',
  ROUTE_REWRITE_NOT_STR: 'Return a string from rewriteUrl.',
  REOPENED_CLOSE_SERVER: 'Create a new app.',
  REOPENED_SERVER: 'Call app.listen once, and wait for its promise.',
  INSTANCE_ALREADY_LISTENING: 'Do it before app.ready(), app.listen() and the first app.inject(), or inside of a plugin.',
  ROOT_PLG_BOOTED: 'Do it before app.ready(), app.listen() and the first app.inject(), or inside of a plugin.',
  PLUGIN_NOT_VALID: 'Pass the plugin and its options: app.register(plugin, options) in place of app.register(plugin(app)).',
  PLUGIN_TIMEOUT: 'Call done, or remove it from the parameters of an async plugin; raise pluginTimeout for slow ones.',
  PLUGIN_VERSION_MISMATCH: 'Install a version of the plugin for one of these levels.',
}

/** Tests and production see errors without help: suites compare them, and logs are long enough. */
function isWanted(): boolean {
  const environment = typeof process === 'undefined' ? undefined : process.env['NODE_ENV']
  return environment !== 'production' && environment !== 'test'
}

/**
 * Says what to do about a mistake of the application, in development: the remedy, the line of the application, unless
 * the message has it, and the page with the error.
 *
 * @param below - the function that the framework asked for the error
 * @returns `null` outside of development
 */
export function helpFor(
  name: ErrorName,
  message: string,
  below: (...args: never[]) => unknown,
): string | null {
  if (!isWanted()) return null
  const frame = userFrame(below)
  const at = frame === null || message.includes(frame) ? [] : [`It comes from ${frame}.`]
  const remedy = remedies[name]
  return [...(remedy === undefined ? [] : [remedy]), ...at, `See ${PAGE}#CLO_ERR_${name}`].join(' ')
}
