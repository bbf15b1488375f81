// Why failures of the peer's suites stand, for both lines: texts of one table, so that the scoreboard groups them.

export const AHEAD = 'a web stream is read one piece ahead'
export const ASYNC =
  'a `$async` schema answers in the usual words; what fails in it for another reason is a 500'
export const AT_ONCE = 'of two requests that are injected at once, the one without a hook is done first'
export const BLANKS = 'a media type with blanks or an empty parameter is JSON, and is validated: 400, not 415'
export const BOOT =
  'errors of the boot are our own: path, place, what is waited for; no error of a boot library is within'
export const BYTES = 'refused requests get the fields `Date` and `Connection`; the socket is ended, not cut'
export const CANONICAL = 'routeOptions.url is the path that the request matched'
export const CATALOGUE = 'the catalogue of errors is our own: other words, more codes, one class for all'
export const CHILD_LOGGER =
  'a child logger that is none is a 500 of the request that logs with it, and ends no process'
export const CLOSES =
  'an answer that is written while the server closes says `Connection: close`, and its client connects anew'
export const CODES = 'an error that is coded says its code in the payload, whatever failed'
export const COMPILER = 'a compiler that returns no function stops the boot'
export const COMPLETED = 'a request that frameworkErrors answers is logged as completed too'
export const COPIES = 'schemas are brought to their full form in a copy, not in the object of the application'
export const DEADLINE = 'a request has five minutes to arrive unless told otherwise'
export const DISCARDED = 'a stream whose content is not sent is destroyed, not drained'
export const ENDS_IDLE =
  'a connection that is idle when the server closes ends at once, a turn earlier than with the peer'
export const FACTORIES =
  'factories of a schema controller build for each context, that of the default 404 included'
export const FIELDS = 'the payload of an error always has the reason phrase of its status as `error`'
export const HEADS = 'exposed HEAD routes are printed beside their GET, and the default error handler is not'
export const HEAD_CONTENT = 'an injected HEAD request gets no content, as over a socket'
export const HEAD_STREAM =
  'a stream that a HEAD request does not need is destroyed, and what that says is not logged'
export const HIJACK = 'what fails after a hijack is logged as an error'
export const HOST = 'request.host is what the client sent, whatever a schema removes'
export const HTTP2 = 'a payload goes to HTTP/2 in one piece'
export const LATE_HOOK = 'a hook that is added too late to run is refused'
export const LEVELS =
  'plugins are asked for the levels that Cloister has, whatever version is put on the instance'
export const LINE_4 = 'the lines of the peer differ, and Cloister does as 4.x'
export const LINE_5 = 'the lines of the peer differ, and Cloister does as 5.x'
export const NAMES = 'the root context is called root, and errors are CloisterError'
export const NON_ERROR =
  'thrown `null` and `undefined` become an Error, and a thrown symbol is no empty answer'
export const LOGGED_ONCE = 'the end of a response is one line of the log'
export const NO_BODY = 'the default answer of 404 leaves the body alone'
export const NO_STATUS = 'response schemas without a status are an error with a code of its own'
export const ON_ERROR = 'onError hooks run once for a request'
export const PATTERNS = 'a pattern of a body parser is held against the header as the client sent it'
export const PORT = 'a port that is none is refused before Node sees it, as CLO_ERR_LISTEN_OPTIONS_INVALID'
export const PROTOCOL =
  '`X-Forwarded-Proto` counts where it is `http` or `https`; the test sends another word'
export const PRIVATE = 'asks for private parts of the peer'
export const REFUSES = 'a validator that answers false refuses, also without a list of errors'
export const REJECTION =
  'an asynchronous validator that fails for a reason of its own is a 500, not a mistake of the client'
export const REPLACES_HEAD =
  'a HEAD route replaces the exposed one of its path, whatever the parameters are called'
export const READ_STREAM = 'a stream that was read before it is sent is an error, not an empty content'
export const RESET = 'a response that fails within its content is reset, so that nobody takes it for whole'
export const REWRITE = 'a rewriteUrl that returns no text is a 500; the peer cuts the connection'
export const ROUTE_OPTIONS =
  '`routeOptions` lists `config` and `schema` too, and the class of requests has another name'
export const SENDS =
  '`send` throws nothing that a handler would have to catch: a payload without a serializer is a 500'
export const SERVER_FACTORY =
  'what serverFactory returns must have `listen` and `close`, which is asked first'
export const SHADOWS =
  'a decorator may have the name of a built-in member, so that plugins of 4.x load that decorate names of today'
export const SHOWN =
  '`validatorCompiler` and `serializerCompiler` are functions in each context, also in one without a schema'
export const STREAMS =
  'a deadline of the handler ends with the head of the response; a stream may take as long as its client reads'
export const SWEEPS = 'idle connections are closed again while answers complete'
export const TYPE_OF_FAILED =
  'the content type of an answer that failed does not hold for the answer of the error handler'
export const TREE = 'the tree of plugins has plugins alone, no steps of a boot library'
export const UNKNOWN_METHOD =
  'a method that nobody knows gets the 404 that every request without a route gets'
export const UNVALIDATED = 'no handler gets a body that the schema of its route was not applied to'
export const WARNED_ONCE = 'a route is warned of once, not again for its exposed HEAD'
export const WARNINGS = 'waits for a process warning of the peer, by its code'
export const WORDS = 'errors and lines of the log are in our own words'
