/**
 * The catalogue of errors, as data: name, status, whose fault, message. `{name}` in a message marks a detail that
 * the place of the error fills in. The union of codes, the exported constructors and `docs/errors.md` are made from
 * this table, and nothing else declares a code.
 */

/** Every error of the framework by its name; its code is `CLO_ERR_` and the name. */
// oxfmt-ignore
export const errorTable = {
  // requests
  // NOT_FOUND, MAX_PARAM_LENGTH and FORCE_CLOSE_CONNECTIONS_IDLE_NOT_AVAILABLE are for plugins, which make such errors
  // by these names: the framework raises none of them.
  NOT_FOUND: { status: 404, fault: 'client', message: '{what}' },
  BAD_URL: { status: 400, fault: 'client', message: "'{path}' is not a valid url component" },
  MAX_PARAM_LENGTH: { status: 414, fault: 'client', message: "'{path}' is exceeding the max param length" },
  HOST_AMBIGUOUS: { status: 400, fault: 'client', message: 'The request names more than one host; exactly one is allowed' },
  HOST_INVALID: { status: 400, fault: 'client', message: 'The Host header of the request is no host with an optional port' },
  HTTP_VERSION: { status: 505, fault: 'client', message: 'HTTP Version Not Supported' },
  HEADERS_TOO_MANY: { status: 431, fault: 'client', message: 'The request has too many header lines' },
  TARGET_INVALID: { status: 400, fault: 'client', message: "The target '*' is for OPTIONS, not for {method}" },
  TRANSFER_CODING_INVALID: { status: 400, fault: 'client', message: "The Transfer-Encoding of the request is not 'chunked', once" },
  TRANSFER_CODING_UNKNOWN: { status: 501, fault: 'client', message: "The body of the request has a transfer coding besides 'chunked'; only that one is supported" },
  ASYNC_CONSTRAINT: { status: 500, fault: 'app', message: 'Unexpected error from async constraint' },
  VALIDATION: { status: 400, fault: 'client', message: '{message}' },
  CTP_INVALID_MEDIA_TYPE: { status: 415, fault: 'client', message: 'Unsupported Media Type: {mediaType}' },
  CTP_BODY_TOO_LARGE: { status: 413, fault: 'client', message: 'Request body is too large' },
  CTP_INVALID_CONTENT_LENGTH: { status: 400, fault: 'client', message: 'Request body size did not match Content-Length' },
  CTP_EMPTY_JSON_BODY: { status: 400, fault: 'client', message: "Body cannot be empty when content-type is set to 'application/json'" },
  CTP_INVALID_JSON_BODY: { status: 400, fault: 'client', message: "Body is not valid JSON but content-type is set to 'application/json'" },
  CTP_BODY_ABORTED: { status: 400, fault: 'client', message: 'The request was aborted before its body was complete' },
  CTP_BODY_TIMEOUT: { status: 408, fault: 'client', message: 'The body of the request did not arrive in time' },
  ROUTE_MISSING_CONTENT_TYPE: { status: 400, fault: 'client', message: "Method '{method}' must provide a 'Content-Type' header" },
  ROUTE_MISSING_CONTENT: { status: 400, fault: 'client', message: 'The body is missing: this route demands one of {types}' },
  HANDLER_TIMEOUT: { status: 503, fault: 'app', message: 'Request timed out after {ms} ms on route {route}' },

  // replies
  NON_ERROR_THROWN: { status: 500, fault: 'app', message: 'Something that is not an Error was thrown: {what}; throw an Error (the value is its cause)' },
  REP_ALREADY_SENT: { status: 500, fault: 'app', message: 'Reply was already sent, did you forget to "return reply" in "{url}" ({method})?' },
  REP_INVALID_PAYLOAD_TYPE: { status: 500, fault: 'app', message: "Attempted to send payload of invalid type '{type}'. Expected a string or Buffer." },
  REP_RESPONSE_BODY_CONSUMED: { status: 500, fault: 'app', message: 'The body of the Response was read before it was sent; send a fresh Response' },
  REP_READABLE_STREAM_LOCKED: { status: 500, fault: 'app', message: 'The ReadableStream is locked; call releaseLock() on its reader before sending' },
  REP_STATUS_NOT_FINAL: { status: 500, fault: 'app', message: 'The answer of {route} has the status {status}, after which clients wait for another one; answer with 200 or above (for hints: reply.writeEarlyHints; for another protocol: reply.hijack)' },
  REP_STATUS_UNDECLARED: { status: 500, fault: 'app', message: "The response of {route} has the status {status}, and its schemas declare {declared}; add the status, its class ('{class}') or 'default' to schema.response, or give the route the option undeclaredStatuses: 'send'" },
  REP_SENT_VALUE: { status: 500, fault: 'app', message: 'The only possible value for reply.sent is true' },
  RAW_UNAVAILABLE: { status: 500, fault: 'app', message: '{member} is not available: this request came over a transport without the objects of Node; listen with the server of Node, or use the members of request and reply' },
  TRANSPORT_UNSUPPORTED: { status: 500, fault: 'app', message: '{what} is not available over this transport; use {instead}' },
  FETCH_APP_INVALID: { status: 500, fault: 'app', message: 'toFetch takes an app of this framework, got {type}' },
  FETCH_CONTEXT_MISSING: { status: 500, fault: 'app', message: 'The request brought no value of this context: give one to toFetch, as in toFetch(app, (request, env) => ({ context: bindings.with(env) }))' },
  REP_INVALID_HEADER: { status: 500, fault: 'app', message: "The reply's header '{name}' is not valid: {reason}" },
  SEND_INSIDE_ONERR: { status: 500, fault: 'app', message: 'An onError hook of {route} called reply.send: these hooks look on while an error is answered; answer from an error handler (setErrorHandler)' },
  BAD_STATUS_CODE: { status: 500, fault: 'app', message: 'The status of an answer is a number from 100 to 599, not {status}' },
  BAD_TRAILER_NAME: { status: 500, fault: 'app', message: 'Called reply.trailer with an invalid header name: {name}' },
  BAD_TRAILER_VALUE: { status: 500, fault: 'app', message: "Called reply.trailer('{name}', fn) with an invalid type: {type}. Expected a function." },
  FAILED_ERROR_SERIALIZATION: { status: 500, fault: 'app', message: 'Failed to serialize an error. Error: {reason}. Original error: {original}' },
  FAILED_SERIALIZATION: { status: 500, fault: 'app', message: 'The payload of {route} for status {status} could not be serialized: {reason}' },
  MISSING_SERIALIZATION_FN: { status: 500, fault: 'app', message: 'Missing serialization function. Key "{key}"' },
  MISSING_CONTENTTYPE_SERIALIZATION_FN: { status: 500, fault: 'app', message: 'Missing serialization function. Key "{key}:{contentType}"' },
  REQ_INVALID_VALIDATION_INVOCATION: { status: 500, fault: 'app', message: 'Invalid validation invocation. Missing validation function for HTTP part "{part}" nor schema provided.' },
  CALLBACK_NOT_SYNC: { status: 500, fault: 'app', message: '{name} must answer at once, but it returned a promise' },
  VALIDATOR_RESULT: { status: 500, fault: 'app', message: 'The custom validator of {part} in {route} answered {what}; it must answer a boolean, { value } or { error }' },

  // options
  OPTIONS_NOT_OBJ: { status: 500, fault: 'app', message: 'Options must be an object, got {type}' },
  INIT_OPTS_INVALID: { status: 500, fault: 'app', message: 'Invalid initialization options: {problem}' },
  QSP_NOT_FN: { status: 500, fault: 'app', message: "querystringParser option should be a function, instead got '{type}'" },
  SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN: { status: 500, fault: 'app', message: "schemaController.bucket option should be a function, instead got '{type}'" },
  SCHEMA_ERROR_FORMATTER_NOT_FN: { status: 500, fault: 'app', message: 'schemaErrorFormatter option should be a non async function. Instead got {type}' },
  AJV_CUSTOM_OPTIONS_OPT_NOT_OBJ: { status: 500, fault: 'app', message: "ajv.customOptions option should be an object, instead got '{type}'" },
  AJV_CUSTOM_OPTIONS_OPT_NOT_ARR: { status: 500, fault: 'app', message: "ajv.plugins option should be an array, instead got '{type}'" },
  VERSION_CONSTRAINT_NOT_STR: { status: 500, fault: 'app', message: 'Version constraint should be a string, got {type}' },
  LISTEN_OPTIONS_INVALID: { status: 500, fault: 'app', message: 'Invalid listen options: {problem}' },
  LOG_INVALID_DESTINATION: { status: 500, fault: 'app', message: 'Cannot specify both logger.stream and logger.file options' },
  LOG_INVALID_LOGGER: { status: 500, fault: 'app', message: "Invalid logger object provided. The logger instance should have these functions(s): '{missing}'" },
  LOG_INVALID_LOGGER_INSTANCE: { status: 500, fault: 'app', message: 'loggerInstance only accepts a logger instance, which has these functions: {missing}' },
  LOG_INVALID_LOG_CONTROLLER: { status: 500, fault: 'app', message: 'logController must be an instance of LogController or of a class that extends it, got {type}' },
  LOG_LOGGER_AND_LOGGER_INSTANCE_PROVIDED: { status: 500, fault: 'app', message: 'You cannot provide both logger and loggerInstance. Please provide only one' },
  FORCE_CLOSE_CONNECTIONS_IDLE_NOT_AVAILABLE: { status: 500, fault: 'app', message: "Cannot set forceCloseConnections to 'idle' as your HTTP server does not support the closeIdleConnections method" },

  // handlers and parsers
  ERROR_HANDLER_NOT_FN: { status: 500, fault: 'app', message: 'Error Handler must be a function, got {type}' },
  SETTING_NOT_FN: { status: 500, fault: 'app', message: '{name} must be a function, got {type}' },
  ERROR_HANDLER_ALREADY_SET: { status: 500, fault: 'app', message: "An error handler is already set in this context, at {first}. Set 'allowErrorHandlerOverride: true' to allow overriding" },
  NOT_FOUND_HANDLER_ALREADY_SET: { status: 500, fault: 'app', message: "Not found handler already set for app instance with prefix: '{prefix}' (at {first})" },
  CTP_ALREADY_PRESENT: { status: 500, fault: 'app', message: "Content type parser '{type}' already present (added at {first}); remove it first" },
  CTP_INVALID_TYPE: { status: 500, fault: 'app', message: 'The content type should be a string or a RegExp, got {type}' },
  CTP_EMPTY_TYPE: { status: 500, fault: 'app', message: 'The content type cannot be an empty string' },
  CTP_INVALID_HANDLER: { status: 500, fault: 'app', message: 'The content type handler should be a function, got {type}' },
  CTP_INVALID_PARSE_TYPE: { status: 500, fault: 'app', message: "The body parser can only parse your data as 'string' or 'buffer', you asked '{type}' which is not supported." },
  CTP_INSTANCE_ALREADY_STARTED: { status: 400, fault: 'app', message: 'Cannot call "{method}": {when}' },

  // decorators
  DEC_ALREADY_PRESENT: { status: 500, fault: 'app', message: "The decorator '{name}' has already been added! ({kind}, at {first})" },
  DEC_DEPENDENCY_INVALID_TYPE: { status: 500, fault: 'app', message: "The dependencies of decorator '{name}' must be of type Array." },
  DEC_MISSING_DEPENDENCY: { status: 500, fault: 'app', message: "The decorator is missing dependency '{name}'." },
  DEC_AFTER_START: { status: 500, fault: 'app', message: "The decorator '{name}' has been added after start: {when}" },
  DEC_REFERENCE_TYPE: { status: 500, fault: 'app', message: "The decorator '{name}' of type '{type}' is a reference type: every request would share it. Decorate with null and assign a fresh value in an onRequest hook, or use the { getter, setter } interface instead" },
  DEC_UNDECLARED: { status: 500, fault: 'app', message: "No decorator '{name}' has been declared on {kind}" },

  // hooks
  HOOK_INVALID_TYPE: { status: 500, fault: 'app', message: 'The hook name must be a string, got {type}' },
  HOOK_INVALID_HANDLER: { status: 500, fault: 'app', message: '{name} hook should be a function, instead got {type}' },
  HOOK_INVALID_ASYNC_HANDLER: { status: 500, fault: 'app', message: "Async function has too many arguments. Async hooks should not use the 'done' argument: the {name} hook '{fn}' added at {callSite} mixes both" },
  HOOK_NOT_SUPPORTED: { status: 500, fault: 'app', message: '{name} hook not supported!{nearest}' },
  HOOK_TIMEOUT: { status: 500, fault: 'app', message: "A callback for '{name}' hook ('{fn}' added at {callSite}) timed out after {ms} ms. You may have forgotten to call 'done' function or to resolve a Promise" },
  MISSING_MIDDLEWARE: { status: 500, fault: 'app', message: 'You must register a plugin for handling middlewares, such as @fastify/middie or @fastify/express' },

  // schemas
  SCH_MISSING_ID: { status: 500, fault: 'app', message: 'Missing schema $id property: {reason}' },
  SCH_ALREADY_PRESENT: { status: 500, fault: 'app', message: "Schema with id '{id}' already declared! {reason}" },
  SCH_CONTENT_MISSING_SCHEMA: { status: 500, fault: 'app', message: "Schema is missing for the content type '{contentType}' of {part} in {route}" },
  SCH_DUPLICATE: { status: 500, fault: 'app', message: "Schema with '{part}' already present! Use either query or querystring in {route}" },
  SCH_VALIDATION_BUILD: { status: 500, fault: 'app', message: 'Failed building the validation schema for {method}: {url}, due to error {reason} ({part}, defined at {callSite})' },
  SCH_SERIALIZATION_BUILD: { status: 500, fault: 'app', message: 'Failed building the serialization schema for {method}: {url}, due to error {reason} ({part}, defined at {callSite})' },
  SCH_RESPONSE_SCHEMA_NOT_NESTED_2XX: { status: 500, fault: 'app', message: 'Each response schema of {route} stands under its status, as in response: { 200: { … } }: {reason} (defined at {callSite})' },
  SCH_INVALID: { status: 500, fault: 'app', message: 'The schema of {route} is not usable: {reason} (defined at {callSite})' },
  SCH_REQUIRED: { status: 500, fault: 'app', message: 'Schemas are missing that requireSchemas demands: {missing}. Add them, or give the route the option requireSchemas: false' },

  // routes
  DUPLICATED_ROUTE: { status: 500, fault: 'app', message: "Method '{method}' already declared for route '{url}': first at {first}, again at {callSite}. Remove one or add a constraint" },
  INVALID_URL: { status: 400, fault: 'app', message: "URL must be a string. Received '{type}'" },
  ROUTE_PATH_INVALID: { status: 500, fault: 'app', message: "The path '{path}' of the route {route} is not usable: {reason}" },
  ROUTE_OPTIONS_NOT_OBJ: { status: 500, fault: 'app', message: 'Options for "{route}" route must be an object' },
  ROUTE_DUPLICATED_HANDLER: { status: 500, fault: 'app', message: 'Duplicate handler for "{route}" route is not allowed!' },
  ROUTE_HANDLER_NOT_FN: { status: 500, fault: 'app', message: '{what} for {route} route, if defined, must be a function' },
  ROUTE_MISSING_HANDLER: { status: 500, fault: 'app', message: 'Missing handler function for "{route}" route.' },
  ROUTE_METHOD_INVALID: { status: 500, fault: 'app', message: 'Provided method is invalid! Expected a string or an array of strings' },
  ROUTE_METHOD_NOT_SUPPORTED: { status: 500, fault: 'app', message: '{method} method is not supported.' },
  ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED: { status: 500, fault: 'app', message: 'Body validation schema for {route} route is not supported!' },
  ROUTE_BODY_LIMIT_OPTION_NOT_INT: { status: 500, fault: 'app', message: "'bodyLimit' option must be an integer > 0. Got '{value}'" },
  ROUTE_HANDLER_TIMEOUT_OPTION_NOT_INT: { status: 500, fault: 'app', message: "'handlerTimeout' option must be an integer > 0 and at most 2147483647, the longest delay of a timer. Got '{value}'" },
  ROUTE_LOG_LEVEL_INVALID: { status: 500, fault: 'app', message: "Log level for '{route}' route must be a valid logger level. Received: '{level}'" },
  ROUTE_OPTION_UNKNOWN: { status: 500, fault: 'app', message: "The route {route} has an option '{name}' that is not known{nearest}" },
  ROUTE_OPTION_INVALID: { status: 500, fault: 'app', message: 'An option of the route {route} is not usable: {problem}' },
  ROUTE_REWRITE_NOT_STR: { status: 500, fault: 'app', message: 'Rewrite url for "{url}" needs to be of type "string" but received "{type}"' },
  DEFAULT_ROUTE_INVALID_TYPE: { status: 500, fault: 'app', message: 'The defaultRoute type should be a function, got {type}' },

  // boot
  REOPENED_CLOSE_SERVER: { status: 500, fault: 'app', message: 'The app has already been closed and cannot be reopened' },
  REOPENED_SERVER: { status: 500, fault: 'app', message: 'The app is already listening' },
  INSTANCE_ALREADY_LISTENING: { status: 500, fault: 'app', message: 'Cannot {action}: {when}' },
  PLUGIN_VERSION_MISMATCH: { status: 500, fault: 'app', message: "The plugin '{name}' wants version '{wanted}', but the interface levels of this app are {installed}{hint}" },
  PLUGIN_NOT_PRESENT_IN_INSTANCE: { status: 500, fault: 'app', message: "The decorator '{decorator}'{wantedBy} is not present in {kind}{hint}" },
  PLUGIN_DEPENDENCY_NOT_REGISTERED: { status: 500, fault: 'app', message: "The dependency '{dependency}' of plugin '{name}' is not registered; register it before{hint}" },
  PLUGIN_NOT_VALID: { status: 500, fault: 'app', message: 'The plugin must be a function, a promise of one, or an object with a default export that is one; got {type} (registered at {callSite})' },
  PLUGIN_CALLBACK_NOT_FN: { status: 500, fault: 'app', message: 'The callback of {method} must be a function, got {type}' },
  PLUGIN_TIMEOUT: { status: 500, fault: 'app', message: "Plugin did not start in time: '{name}' ({path}), registered at {callSite}, is not loaded after {ms} ms; {waitingFor}" },
  ROOT_PLG_BOOTED: { status: 500, fault: 'app', message: 'Cannot {action}: {when}' },
} as const
