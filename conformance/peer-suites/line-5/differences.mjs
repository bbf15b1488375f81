// The failures of this line's suite that stand. Tests are told by how their names begin.

const WORDS = 'errors and lines of the log are in our own words'
const NON_ERROR = 'what is thrown and is no Error becomes a 500 with the value as its cause'
const PRIVATE = 'asks for private parts of the peer'
const WARNINGS = 'Cloister writes no process warnings'
const NAMES = 'the root context is called root, and errors are CloisterError'
const LINE_4 = 'the lines of the peer differ, and Cloister does as 4.x'
const SAME_IN_4 = 'the same test stands in the suite of the 4.x line'
const COMPILE = 'there is no routerOptions.compile: nothing to switch on'
const TRACING = 'a tracer sees the handler alone: the status as it was then, and each handler that ran'
const SIGNAL = 'listening with a signal that was aborted is refused, where the peer resolves to nothing'
const HOST = 'request.host is what the client sent, whatever a schema removes'
const HIJACK = 'what fails after a hijack is logged as an error'
const ON_ERROR = 'onError hooks run once for a request'
const COMPLETED = 'a request that frameworkErrors answers is logged as completed too'
const HTTP2 = 'a payload goes to HTTP/2 in one piece'
const PORTED = 'codes of errors are in the payload, also of those without a route'
const CALLABLE = 'constructors of errors want new'
const AHEAD = 'a web stream is read one piece ahead'
const CANONICAL = 'routeOptions.url is the path that the request matched'
const IDLE = 'idle connections are closed again while answers complete'
const HEAD_STREAM =
  'a stream that a HEAD request does not need is destroyed, and what that says is not logged'
const LAZY = 'compilers are made when the first schema is compiled'

/** @type {readonly import('../lib/differences.mjs').Difference[]} */
export const differences = [
  {
    file: '404s.test.js',
    tests: ['400 in case of bad url (pre find-my-way v2.2.0 was a 404)'],
    reason: LINE_4,
  },
  {
    file: '404s.test.js',
    tests: [
      'Unknown method',
      'Should fail to invoke callNotFound inside a 404 handler',
      'Send 404 when frameworkError calls reply.callNotFound',
    ],
    reason: SAME_IN_4,
  },
  { file: '404s.test.js', tests: ['setting a custom 404 handler multiple times is an error'], reason: WORDS },
  {
    file: '500s.test.js',
    tests: [
      'default 500 with non-error string',
      'default 500 with non-error symbol',
      'default 500 with non-error false',
      'default 500 with non-error null',
      'custom 500 with non-error and custom errorHandler',
      'custom 500 with FastifyError detection',
    ],
    reason: NON_ERROR,
  },
  {
    file: 'child-logger-factory.test.js',
    tests: ['should throw error if invalid logger is returned'],
    reason: SAME_IN_4,
  },
  { file: 'client-timeout.test.js', tests: ['requestTimeout should return 408'], reason: SAME_IN_4 },
  {
    file: 'close-pipelining.test.js',
    tests: ['Should return 503 while closing - pipelining'],
    reason: SAME_IN_4,
  },
  { file: 'close.test.js', tests: ['rejected incoming connections should be logged'], reason: SAME_IN_4 },
  { file: 'constrained-routes.test.js', tests: ['error in async rotuerOptions constraints'], reason: PORTED },
  { file: 'constrained-routes.test.js', tests: ['error in async constraints'], reason: SAME_IN_4 },
  { file: 'content-parser.test.js', tests: ['content-type fail when not a valid type'], reason: CALLABLE },
  {
    file: 'content-parser.test.js',
    tests: ['non-Error thrown from content parser is properly handled'],
    reason: NON_ERROR,
  },
  {
    file: 'content-parser.test.js',
    tests: [
      'getParser',
      'existingParser',
      'add',
      'remove',
      'remove all should remove all existing parsers and reset cache',
    ],
    reason: PRIVATE,
  },
  { file: 'content-parser.test.js', tests: ['content-type match parameters - regexp'], reason: SAME_IN_4 },
  {
    file: 'content-parser.test.js',
    tests: ['Warning against improper content-type - regexp'],
    reason: WARNINGS,
  },
  {
    file: 'content-parser.test.js',
    tests: ['add', 'invalid content-type error message should not contain format placeholder'],
    reason: WORDS,
  },
  {
    file: 'content-type-parser-async-context.test.js',
    tests: ['content type parser callbacks restore request context and destroy their resources'],
    reason: PRIVATE,
  },
  {
    file: 'context-config.test.js',
    tests: ['config', 'config with exposeHeadRoutes', 'config without exposeHeadRoutes'],
    reason: PRIVATE,
  },
  {
    file: 'custom-http-server.test.js',
    tests: ['Should not make an extra closeIdleConnections call for native servers'],
    reason: IDLE,
  },
  {
    file: 'custom-http-server.test.js',
    tests: ['Should not allow forceCloseConnection=idle if the server does not support closeIdleConnections'],
    reason: SAME_IN_4,
  },
  {
    file: 'custom-parser.0.test.js',
    tests: [
      'the content type should be a string or RegExp',
      'the content type handler should be a function',
      "Can't override the json parser multiple times",
      "Can't override the plain text parser multiple times",
    ],
    reason: WORDS,
  },
  { file: 'custom-parser.1.test.js', tests: ['Should parse empty bodies as a string'], reason: SAME_IN_4 },
  {
    file: 'decorator.test.js',
    tests: ['nested plugins can override things'],
    reason: PRIVATE,
    neverEnds: true,
  },
  {
    file: 'decorator.test.js',
    tests: [
      'decorate* should throw if called after ready',
      'decorate* should emit error if an array is passed',
      'decorate* should emit warning if object type is passed',
      'getDecorator should only return decorators existing in the scope',
      'Request.setDecorator should update an existing decorator',
      'is over within',
    ],
    reason: WORDS,
  },
  {
    file: 'diagnostics-channel/404.test.js',
    tests: ['diagnostics channel sync events fire in expected order'],
    reason: TRACING,
  },
  {
    file: 'diagnostics-channel/async-error-handler.test.js',
    tests: ['diagnostics channel tracks async operations in async error handlers'],
    reason: TRACING,
  },
  {
    file: 'diagnostics-channel/error-status.test.js',
    tests: [
      'diagnostics channel error event should report correct status code',
      'diagnostics channel error event should report 500 for errors without status',
      'diagnostics channel error event should report correct status with custom error handler',
      'Error.status property support',
      'diagnostics channel error event should report 500 for error with statusCode >= 600',
    ],
    reason: TRACING,
  },
  {
    file: 'diagnostics-channel/init.test.js',
    tests: [
      'diagnostics_channel when present and subscribers',
      'diagnostics_channel when present and no subscribers',
    ],
    reason: PRIVATE,
  },
  {
    file: 'fastify-instance.test.js',
    tests: [
      'fastify instance should contains ajv options',
      'fastify instance should contains ajv options.plugins nested arrays',
      'fastify instance should contain default errorHandler',
      'fastify instance should contain default childLoggerFactory',
      'childLoggerFactory in plugin should be separate from the external one',
      'fastify instance should ensure ready promise cleanup on ready',
    ],
    reason: PRIVATE,
  },
  {
    file: 'fastify-instance.test.js',
    tests: [
      'errorHandler in plugin should be separate from the external one',
      'ready should resolve in order when called multiply times (mixed)',
      'ready should reject in order when called multiply times (mixed)',
    ],
    reason: SAME_IN_4,
  },
  {
    file: 'handler-context.test.js',
    tests: ['handlers have access to the internal context'],
    reason: PRIVATE,
  },
  {
    file: 'handler-timeout.test.js',
    tests: ['HTTP/2 payload still being written when handlerTimeout fires aborts instead of crashing'],
    reason: HTTP2,
    neverEnds: true,
  },
  {
    file: 'handler-timeout.test.js',
    tests: ['timer is cleaned up after fast response (no leak)'],
    reason: PRIVATE,
  },
  {
    file: 'hooks-async.test.js',
    tests: [
      'preValidation hooks should handle throwing null',
      'preValidation hooks should handle throwing a string',
    ],
    reason: NON_ERROR,
  },
  {
    file: 'hooks-async.test.js',
    tests: [
      'Should log a warning if is an async function with `done`',
      'Register an hook (preHandler) as route option should fail if mixing async and callback style',
      'Register an hook (onSend) as route option should fail if mixing async and callback style',
      'Register an hook (preSerialization) as route option should fail if mixing async and callback style',
      'Register an hook (onError) as route option should fail if mixing async and callback style',
      'Register an hook (preParsing) as route option should fail if mixing async and callback style',
      'Register an hook (onRequestAbort) as route option should fail if mixing async and callback style',
    ],
    reason: WORDS,
  },
  {
    file: 'hooks.on-listen.test.js',
    tests: ['onListen hooks do not block /1', 'onListen hooks do not block /2'],
    reason: PRIVATE,
  },
  {
    file: 'hooks.on-ready.test.js',
    tests: [
      'listen and onReady order',
      'multiple ready calls',
      'onReady can not add decorators or application hooks',
      'onReady throw loading error',
      'onReady does not call done',
    ],
    reason: SAME_IN_4,
  },
  { file: 'hooks.on-ready.test.js', tests: ['onReady cannot add lifecycle hooks'], reason: WORDS },
  {
    file: 'hooks.test.js',
    tests: [
      'reply.send should throw if undefined error is thrown',
      'reply.send should throw if undefined error is thrown at preParsing hook',
      'reply.send should throw if undefined error is thrown at onSend hook',
    ],
    reason: NON_ERROR,
  },
  {
    file: 'hooks.test.js',
    tests: [
      'onRequest hook should support encapsulation / 2',
      'onResponse hook should support encapsulation / 2',
      'onSend hook should support encapsulation / 1',
      'onSend hook throws',
      'preValidation hook should support encapsulation / 2',
      'preParsing hook should support encapsulation / 2',
      'socket timeout listener is removed when socket._meta is cleared after response',
    ],
    reason: PRIVATE,
  },
  {
    file: 'hooks.test.js',
    tests: [
      'onResponse hook should log request error',
      'onSend hook should receive valid request and reply objects if a custom content type parser fails',
      'registering invalid hooks should throw an error',
    ],
    reason: SAME_IN_4,
  },
  {
    file: 'http-methods/custom-http-methods.test.js',
    tests: [
      'addHttpMethod does not warn when overriding an existing method explicitly',
      'addHttpMethod can change an existing method body behavior',
    ],
    reason: WARNINGS,
  },
  {
    file: 'http-methods/custom-http-methods.test.js',
    tests: ['addHttpMethod warns when overriding an existing method'],
    reason: WARNINGS,
    neverEnds: true,
  },
  {
    file: 'http-methods/custom-http-methods.test.js',
    tests: ['addHttpMethod adds a new custom method without body', 'addHttpMethod rejects fake http method'],
    reason: WORDS,
  },
  {
    file: 'http2/closing.test.js',
    tests: [
      'http/2 sessions should be removed from server[kHttp2ServerSessions] Set on goaway',
      'http/2 sessions should be removed from server[kHttp2ServerSessions] Set on frameError',
      'http/2 sessions should not be removed from server[kHttp2ServerSessions] from Set if stream id passed on frameError',
    ],
    reason: PRIVATE,
    neverEnds: true,
  },
  {
    file: 'http2/plain.test.js',
    tests: ['http2 large buffer replies can be cancelled without rejecting the next stream'],
    reason: HTTP2,
  },
  { file: 'http2/unknown-http-method.test.js', tests: ['http2 unknown http method'], reason: PORTED },
  {
    file: 'listen.1.test.js',
    tests: ['Async/await listen with arguments'],
    reason: SAME_IN_4,
    neverEnds: true,
  },
  { file: 'listen.5.test.js', tests: ['should emit a warning when using async callback'], reason: WARNINGS },
  { file: 'logger/options.test.js', tests: ['logger options'], reason: SAME_IN_4 },
  { file: 'logger/options.test.js', tests: ['logger options'], reason: WORDS },
  { file: 'output-validation.test.js', tests: ['start server and run tests'], reason: PORTED },
  {
    file: 'plugin.2.test.js',
    tests: [
      'set the plugin name based on the plugin displayName symbol',
      'plugin name will change when using no encapsulation',
      'plugin name is undefined when accessing in no plugin context',
    ],
    reason: NAMES,
  },
  { file: 'plugin.3.test.js', tests: ['plugin metadata - decorators - should throw'], reason: WORDS },
  { file: 'plugin.4.test.js', tests: ['hasPlugin returns true when using no encapsulation'], reason: NAMES },
  {
    file: 'plugin.4.test.js',
    tests: ['plugin metadata - release candidate', 'fastify-rc loads prior version plugins'],
    reason: PRIVATE,
  },
  {
    file: 'plugin.4.test.js',
    tests: [
      'pluginTimeout',
      'pluginTimeout - named function',
      'pluginTimeout default',
      'hasPlugin returns true if the specified plugin has been registered',
      'hasPlugin returns false when using encapsulation',
    ],
    reason: SAME_IN_4,
  },
  {
    file: 'plugin.4.test.js',
    tests: [
      'registering anonymous plugin with mixed style should throw',
      'registering named plugin with mixed style should throw',
    ],
    reason: WORDS,
  },
  {
    file: 'pretty-print.test.js',
    tests: ['pretty print - empty plugins', 'pretty print - includeMeta, includeHooks'],
    reason: SAME_IN_4,
  },
  { file: 'register.test.js', tests: ['awaitable register error handling'], reason: WORDS },
  {
    file: 'reply-code.test.js',
    tests: ['code should handle 204', 'code should handle null/undefined/float'],
    reason: SAME_IN_4,
  },
  { file: 'reply-error.test.js', tests: ['should throw error if error code is'], reason: SAME_IN_4 },
  {
    file: 'reply-error.test.js',
    tests: [
      'Support rejection with values that are not Error instances',
      'error handler is triggered when a string is thrown from sync handler',
      'status code should be set to 500 and return an error json payload if route handler throws any non Error object expression',
    ],
    reason: NON_ERROR,
  },
  {
    file: 'reply-error.test.js',
    tests: [
      'should catch error when setting invalid header on async preSerializeation hook',
      'should catch error when setting invalid header on async onSend hook',
    ],
    reason: ON_ERROR,
  },
  {
    file: 'reply-error.test.js',
    tests: [
      'Should reply 400 on client error',
      "'*' should throw an error due to serializer can not handle the payload type",
      'should throw an error if the custom serializer does not serialize the payload to a valid type',
      'should preserve the status code set by the user if an expression is thrown in a sync route',
    ],
    reason: SAME_IN_4,
  },
  {
    file: 'reply-web-stream-locked.test.js',
    tests: ['reply.send(web ReadableStream) throws if locked'],
    reason: WORDS,
  },
  {
    file: 'request-error.test.js',
    tests: [
      'default clientError handler destroys sockets in writable state',
      'test request.routeOptions.version',
    ],
    reason: SAME_IN_4,
  },
  {
    file: 'request-header-host.test.js',
    tests: [
      'Return 200 when Host header is removed by schema',
      'Return 200 when Host header is removed by schema with trust proxy',
    ],
    reason: HOST,
  },
  { file: 'request-port.test.js', tests: ['.port parses port correctly'], reason: PRIVATE },
  { file: 'request-timeout.test.js', tests: ['requestTimeout should 0'], reason: SAME_IN_4 },
  {
    file: 'route-hooks.test.js',
    tests: [
      'preHandler option should handle throwing objects',
      'preHandler option should handle throwing objects by default',
      'onRequest option should handle throwing objects',
      'onRequest option should handle throwing objects by default',
      'preValidation option should handle throwing objects',
      'preValidation option should handle throwing objects by default',
      'preParsing option should handle throwing objects',
      'preParsing option should handle throwing objects by default',
    ],
    reason: NON_ERROR,
  },
  {
    file: 'route-prefix.test.js',
    tests: ['reports the canonical route url for hidden prefix trailing slash route'],
    reason: CANONICAL,
  },
  { file: 'route.1.test.js', tests: ['route'], reason: WORDS },
  {
    file: 'route.4.test.js',
    tests: ['throws when route with empty url', 'throws when route with empty url in shorthand declaration'],
    reason: WORDS,
  },
  { file: 'route.6.test.js', tests: ['Will not create a HEAD route that is not GET'], reason: SAME_IN_4 },
  {
    file: 'route.7.test.js',
    tests: ['HEAD route should handle ReadableStream.cancel() error'],
    reason: HEAD_STREAM,
  },
  {
    file: 'route.7.test.js',
    tests: [
      'GET route with body schema should throw',
      'HEAD route with body schema should throw',
      '[HEAD, GET] route with body schema should throw',
      'GET route with body schema should throw - shorthand',
      'HEAD route with body schema should throw - shorthand',
    ],
    reason: NAMES,
  },
  { file: 'route.7.test.js', tests: ["HEAD route should handle stream.on('error')"], reason: SAME_IN_4 },
  {
    file: 'route.8.test.js',
    tests: [
      'Adding manually HEAD route after GET with the same path throws Fastify duplicated route instance error',
    ],
    reason: SAME_IN_4,
  },
  { file: 'router-compile.test.js', tests: ['routerOptions.compile'], reason: COMPILE },
  {
    file: 'router-options.test.js',
    tests: [
      'Should supply Fastify request to the logger in frameworkErrors wrapper - CLO_ERR_BAD_URL',
      'Should supply Fastify request to the logger in frameworkErrors wrapper - CLO_ERR_ASYNC_CONSTRAINT',
    ],
    reason: COMPLETED,
  },
  {
    file: 'router-options.test.js',
    tests: [
      'Should honor maxParamLength option',
      'Should honor frameworkErrors option - CLO_ERR_MAX_PARAM_LENGTH',
      'Should supply Fastify request to the logger in frameworkErrors wrapper - CLO_ERR_MAX_PARAM_LENGTH',
      'Should honor disableRequestLogging option in frameworkErrors wrapper - CLO_ERR_MAX_PARAM_LENGTH',
      'Should honor disableRequestLogging function in frameworkErrors wrapper - CLO_ERR_MAX_PARAM_LENGTH',
      'Should honor routerOptions.onBadUrl when no method tree exists',
      'Should honor routerOptions.maxParamLength',
      'Should honor routerOptions.maxParamLength over maxParamLength option',
      'Should honor routerOptions.queryStringParser over queryStringParser option',
    ],
    reason: LINE_4,
  },
  { file: 'router-options.test.js', tests: ['Should support extra find-my-way options'], reason: PRIVATE },
  {
    file: 'schema-feature.test.js',
    tests: ['Default validator compiler is initialized for a route whose only schema is false'],
    reason: LAZY,
  },
  {
    file: 'schema-feature.test.js',
    tests: ['Invalid null schema fails closed during schema compilation'],
    reason: LINE_4,
  },
  {
    file: 'schema-feature.test.js',
    tests: ['The schemas should be added to an internal storage'],
    reason: PRIVATE,
  },
  {
    file: 'schema-feature.test.js',
    tests: [
      'Get compilers is empty when settle on routes',
      'Check how many AJV instances are built \\#1',
      'onReady hook has the compilers ready',
      'Check how many AJV instances are built \\#2 - verify validatorPool',
      'setSchemaController',
      'Should return a human-friendly error if response status codes are not specified',
    ],
    reason: SAME_IN_4,
  },
  {
    file: 'schema-feature.test.js',
    tests: [
      'Should emit warning if the schema headers is undefined',
      'Should emit warning if the schema body is undefined',
      'Should emit warning if the schema query is undefined',
      'Should emit warning if the schema params is undefined',
      'Should emit a warning for every route with undefined schema',
      'FSTWRN001 is emitted only for explicitly undefined schemas, not boolean false',
    ],
    reason: WARNINGS,
  },
  {
    file: 'schema-feature.test.js',
    tests: [
      'Cannot add multiple times the same id',
      'Cannot add schema for query and querystring',
      'Should throw of the schema does not exists in input',
      'Should throw if schema is missing for content type',
      'Should throw of the schema does not exists in output',
      'Encapsulation should intervene',
      'Add schema after register',
    ],
    reason: WORDS,
  },
  {
    file: 'schema-special-usage.test.js',
    tests: ['Supports async JOI validation', 'Supports async AJV validation'],
    reason: SAME_IN_4,
  },
  {
    file: 'schema-special-usage.test.js',
    tests: ['Check if hooks and attachValidation work with AJV validations'],
    reason: WORDS,
  },
  {
    file: 'schema-validation.test.js',
    tests: [
      'Skip validation if no schema for content type',
      'Skip validation if no content type schemas',
      'Schema validation when no content type is provided',
    ],
    reason: SAME_IN_4,
  },
  {
    file: 'schema-validation.test.js',
    tests: [
      'header schema with an external $ref emits FSTSEC002 (case-normalization does not reach it)',
      'inline and local $ref header schemas do not emit FSTSEC002',
      'header schema with a $ref inside propertyNames emits FSTSEC003 (case-normalization does not reach it)',
      'header schema detects a $ref inside propertyNames nested in an array',
      'header schema detects an external $ref nested in an array',
    ],
    reason: WARNINGS,
  },
  { file: 'server.test.js', tests: ['listen should reject string port'], reason: SAME_IN_4 },
  { file: 'server.test.js', tests: ['abort signal'], reason: SIGNAL },
  {
    file: 'set-error-handler.test.js',
    tests: [
      'setErrorHandler should throw an error if the handler is not a function',
      'if `allowErrorHandlerOverride` is disabled, setErrorHandler should throw if called more than once in the same scope',
      'if `allowErrorHandlerOverride` is disabled, setErrorHandler should throw if called more than once in the same scope 2',
    ],
    reason: WORDS,
  },
  {
    file: 'skip-reply-send.test.js',
    tests: [
      'skip automatic reply.send() with reply.hijack and an error',
      'Hijacking inside onRequest skips all the following hooks and handler execution',
      'Hijacking inside preParsing skips all the following hooks and handler execution',
      'Hijacking inside preValidation skips all the following hooks and handler execution',
      'Hijacking inside preHandler skips all the following hooks and handler execution',
      'Hijacking inside handler skips all the following hooks and handler execution',
    ],
    reason: HIJACK,
  },
  {
    file: 'stream.2.test.js',
    tests: [
      'onSend hook stream should work even if payload is not a proper stream',
      'onSend hook stream should work on payload with "close" ending function',
    ],
    reason: PRIVATE,
  },
  {
    file: 'stream.3.test.js',
    tests: [
      'Destroying streams prematurely',
      'Destroying streams prematurely should call close method',
      'Destroying streams prematurely should call close method when destroy is not a function',
    ],
    reason: SAME_IN_4,
  },
  { file: 'stream.4.test.js', tests: ['Destroying streams prematurely, log is disabled'], reason: PRIVATE },
  {
    file: 'stream.4.test.js',
    tests: ['Destroying streams prematurely should call abort method'],
    reason: SAME_IN_4,
  },
  {
    file: 'stream.5.test.js',
    tests: [
      'should mark reply as sent before pumping the payload stream into response for async route handler',
    ],
    reason: PRIVATE,
  },
  {
    file: 'throw.test.js',
    tests: ['Fastify should throw on wrong options', 'Should throw on duplicate request decorator'],
    reason: WORDS,
  },
  { file: 'trust-proxy.test.js', tests: ['trust proxy number ignores forwarded headers'], reason: LINE_4 },
  {
    file: 'trust-proxy.test.js',
    tests: [
      'trust proxy with number and undefined socket remoteAddress ignores forwarded headers',
      'trust proxy with number and null socket remoteAddress ignores forwarded headers',
      'trust proxy does not trust x-forwarded-host/proto when socket is null',
    ],
    reason: PRIVATE,
  },
  { file: 'url-rewriting.test.js', tests: ['Should throw an error'], reason: SAME_IN_4 },
  {
    file: 'use-semicolon-delimiter.test.js',
    tests: ['use semicolon delimiter default false', 'use routerOptions semicolon delimiter default false'],
    reason: LINE_4,
  },
  {
    file: 'validation-error-handling.test.js',
    tests: [
      'Attached validation error should take precedence over setErrorHandler',
      'should handle response validation error',
      'should handle response validation error with promises',
    ],
    reason: SAME_IN_4,
  },
  {
    file: 'web-api.test.js',
    tests: ['WebStream should stop reading on drain after response destroy'],
    reason: AHEAD,
    neverEnds: true,
  },
  { file: 'web-api.test.js', tests: ['WebStream should warn when headers already sent'], reason: WORDS },
]
