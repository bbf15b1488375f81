// Why failures of Fastify's suites are accepted, for both lines. The scoreboard groups failures by these texts.

export const AHEAD = 'a web stream is read one piece ahead'
export const ASYNC =
  'a `$async` schema rejects a value with the usual message; another failure in it is a 500'
export const AT_ONCE = 'of two requests injected at the same time, the one without a hook is done first'
export const BLANKS = 'a media type with blanks or an empty parameter is JSON and is validated: 400, not 415'
export const BOOT =
  "boot errors are Cloister's own, with path, call site and what is waited for; they contain no error of a boot library"
export const BYTES =
  'refused requests get the fields `Date` and `Connection`, and their socket is ended, not destroyed'
export const CANONICAL = 'routeOptions.url is the path that the request matched'
export const CATALOGUE = "the catalogue of errors is Cloister's own: other messages, more codes, one class"
export const CHILD_LOGGER =
  'an invalid child logger is a 500 of the request that logs with it; the process continues'
export const CLOSES =
  'a response written while the server closes has `Connection: close`, and its client connects again'
export const CODES = 'an error with a code has the code in its payload, whatever failed'
export const COMPILER = 'a compiler that returns no function fails the boot'
export const COMPLETED = 'a request that frameworkErrors responds to is logged as completed, too'
export const COPIES = "schemas are completed in a copy, not in the application's object"
export const DEADLINE = 'a request has five minutes to arrive by default'
export const DISCARDED = 'a stream whose content is not sent is destroyed, not drained'
export const ENDS_IDLE =
  'an idle connection ends at once when the server closes, a turn earlier than in Fastify'
export const FACTORIES =
  'the factories of a schema controller run for each context, including that of the default 404'
export const FIELDS = 'the payload of an error always has the reason phrase of its status as `error`'
export const HEAD_CONTENT = 'an injected HEAD request gets no content, as over a socket'
export const HEAD_STREAM =
  'a web stream that a HEAD request does not need is cancelled without a reason, and the log line of its error has other words'
export const HIJACK = 'a failure after a hijack is logged as an error'
export const HOST = 'request.host is what the client sent, even if a schema removes the header'
export const HTTP2 = 'a payload is written to HTTP/2 in one piece'
export const LATE_HOOK = 'a hook that is added too late to run is refused'
export const LEVELS =
  'plugins are checked against the versions that Cloister supports, whatever version is set on the instance'
export const LINE_4 = '4.x and 5.x differ, and Cloister follows 4.x'
export const LINE_5 = '4.x and 5.x differ, and Cloister follows 5.x'
export const NAMES = 'the root context is called root, and errors are CloisterError'
export const NON_ERROR =
  'thrown `null` and `undefined` become an Error, and a thrown symbol is no empty response'
export const LOGGED_ONCE = 'the end of a response is one line of the log'
export const NO_STATUS = 'response schemas without a status are an error with its own code'
export const ON_ERROR = 'onError hooks run once for a request'
export const PATTERNS = 'the pattern of a body parser is matched against the header as the client sent it'
export const PORT = 'an invalid port is refused before Node sees it, with CLO_ERR_LISTEN_OPTIONS_INVALID'
export const PROTOCOL = '`X-Forwarded-Proto` must be `http` or `https`; the test sends another word'
export const PRIVATE = 'uses private parts of Fastify'
export const REFUSES = 'a validator that returns false rejects the request, also without a list of errors'
export const REJECTION =
  'an asynchronous validator that fails for another reason is a 500, not a fault of the client'
export const REPLACES_HEAD =
  'a HEAD route replaces the exposed one of its path, whatever its parameters are called'
export const READ_STREAM = 'a stream that was read before it is sent is an error, not an empty body'
export const REWRITE = 'a rewriteUrl that returns no string is a 500; Fastify closes the connection'
export const ROUTE_OPTIONS =
  '`routeOptions` lists `config` and `schema`, too, and the class of requests has another name'
export const SENDS =
  '`send` throws nothing that a handler must catch: a payload without a serializer is a 500'
export const SENT_FIRST = 'what was sent before a stream failed arrives, and its framing shows the cut'
export const SERVER_FACTORY =
  'the server of serverFactory must have `listen` and `close`, which is checked first'
export const SHADOWS =
  'a decorator may have the name of a built-in member, so that plugins of 4.x that decorate newer names load'
export const SHOWN =
  '`validatorCompiler` and `serializerCompiler` are functions in each context, also in one without a schema'
export const STREAMS =
  'the handler timeout ends with the head of the response; a stream may take as long as its client reads'
export const SWEEPS = 'idle connections are closed again while responses end'
export const TYPE_OF_FAILED =
  "the content type of a failed response does not apply to the error handler's response"
export const UNKNOWN_METHOD = 'an unknown method gets the 404 of any request without a route'
export const UNVALIDATED = 'no handler gets a body that was not validated by the schema of its route'
export const WARNED_ONCE = 'a route is warned about once, not again for its exposed HEAD'
export const WARNINGS = 'waits for a process warning of Fastify, by its code'
export const WORDS = "errors and log lines have Cloister's own messages"
