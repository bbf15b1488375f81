// The type names of Fastify 4.x and 5.x that apps and plugins import, each with its published type parameters and
// its definition here. `scripts/fastify-types.mjs` writes them; a test compares the parameters with the published
// packages.

/** @typedef {readonly [parameters: string, type: string, doc: string]} Row */

/** The type parameters, by their names in the table. */
export const PARAMETERS = {
  RawServer: 'RawServer extends RawServerBase = RawServerDefault',
  RawRequest: 'RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>',
  RawReply: 'RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>',
  RouteGeneric: 'RouteGeneric extends RouteGenericInterface = RouteGenericInterface',
  ContextConfig: 'ContextConfig = ContextConfigDefault',
  TError: 'TError extends Error = CaughtError',
  SchemaCompiler: 'SchemaCompiler extends FastifySchema = FastifySchema',
  TypeProvider: 'TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault',
  Logger: 'Logger extends FastifyBaseLogger = FastifyBaseLogger',
  Options: 'Options extends object = Record<never, never>',
}

export const RAW = 'RawServer, RawRequest, RawReply'
export const ROUTE = `${RAW}, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger`
export const ERROR = `${RAW}, RouteGeneric, ContextConfig, TError, SchemaCompiler, TypeProvider, Logger`
const LIFE = `${RAW}, Logger, TypeProvider`
const PARSER = 'RawServer, RawRequest, RouteGeneric, SchemaCompiler, TypeProvider'
const PLUGIN = 'Options, RawServer, TypeProvider, Logger'
const SERVER_OPTIONS = 'RawServer, Logger'

export const INSTANCE = `FastifyInstance<${LIFE}>`
export const REQUEST =
  'FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>'
export const REPLY =
  'FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>'
const PARSED = 'FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>'
const PLUGGED =
  'FastifyInstance<RawServer, RawRequestOf<RawServer>, RawReplyOf<RawServer>, Logger, TypeProvider>'

/** Fastify's names for types that have another name here, or the same one. */
export const SAME = {
  FastifyContextConfig: 'FastifyContextConfig',
  FastifyInstance: 'FastifyInstance',
  FastifyReply: 'FastifyReply',
  FastifyRequest: 'FastifyRequest',
  FastifySchema: 'FastifySchema',
  FastifyTypeProvider: 'FastifyTypeProvider',
  FastifyError: 'FastifyError',
  FastifyPluginOptions: 'FastifyPluginOptions',
  FastifyRequestContext: 'FastifyRequestContext',
  ConnectionError: 'ConnectionError',
  PrintRoutesOptions: 'PrintRoutesOptions',
  RegisterOptions: 'RegisterOptions',
  RouteGenericInterface: 'RouteGeneric',
  RouteShorthandMethod: 'RouteShorthandMethod',
  SafePromiseLike: 'SafePromiseLike',
  SchemaErrorFormatter: 'SchemaErrorFormatter',
}

/**
 * The aliases: their type parameters, definition and hover text. The name of a parameter that the alias does not use
 * begins with `_`.
 *
 * @type {Readonly<Record<string, Row>>}
 */
export const ALIASES = {
  RawServerBase: ['', 'RawServer', 'Any kind of server.'],
  RawServerDefault: ['', 'Http1Server', 'The kind of server without options.'],
  RawRequestDefaultExpression: [
    'RawServer',
    'RawRequestOf<RawServer>',
    "Node's request of a kind of server.",
  ],
  RawReplyDefaultExpression: ['RawServer', 'RawReplyOf<RawServer>', "Node's response of a kind of server."],
  FastifyTypeProviderDefault: ['', 'FastifyTypeProvider', 'The type provider that maps nothing.'],
  ContextConfigDefault: ['', 'unknown', 'The `config` of a route that declares none.'],
  RequestBodyDefault: ['', 'unknown', 'The body of a route that declares none.'],
  RequestQuerystringDefault: ['', 'unknown', 'The query string of a route that declares none.'],
  RequestParamsDefault: ['', 'unknown', 'The parameters of a route that declares none.'],
  RequestHeadersDefault: ['', 'unknown', 'The headers of a route that declares none.'],
  HTTPMethods: ['', 'HttpMethod', 'An HTTP method.'],

  FastifyServerOptions: [SERVER_OPTIONS, 'CloisterOptions<RawServer>', 'Options of the factory.'],
  FastifyHttpOptions: [
    SERVER_OPTIONS,
    'CloisterOptions<RawServer>',
    'Options of the factory, over HTTP/1.1.',
  ],
  // Without the required member, an overload for TLS would take options without TLS.
  FastifyHttpsOptions: [
    SERVER_OPTIONS,
    "CloisterOptions<RawServer> & { https: NonNullable<CloisterOptions['https']> | null; http2?: false }",
    'Options of the factory, with TLS.',
  ],
  FastifyHttp2Options: [
    'RawServer extends RawServerBase = RawServerBase, Logger',
    'CloisterOptions<RawServer> & { http2: true }',
    'Options of the factory, over HTTP/2.',
  ],
  FastifyHttp2SecureOptions: [
    'RawServer extends RawServerBase = RawServerBase, Logger',
    "FastifyHttp2Options<RawServer> & { https: NonNullable<CloisterOptions['https']> | null }",
    'Options of the factory, over HTTP/2 with TLS.',
  ],
  FastifyListenOptions: ['', 'ListenOptions', 'Options of `listen`.'],
  FastifyRouterOptions: ['RawServer', "CloisterOptions['routerOptions']", 'Options of the router.'],
  FastifyServerFactory: [
    'RawServer',
    '(handler: FastifyServerFactoryHandler<RawServer>, options: Record<string, unknown>) => RawServer',
    'Creates a server.',
  ],
  FastifyServerFactoryHandler: [
    RAW,
    '(request: RawRequest, response: RawReply) => void',
    "The listener of a server's requests.",
  ],

  FastifyBaseLogger: ['', 'BaseLogger', 'The methods that the framework needs of a logger.'],
  FastifyLoggerInstance: ['', 'BaseLogger', 'The name of `FastifyBaseLogger` in Fastify 3.x.'],
  FastifyLoggerOptions: [
    'RawServer, RawRequest = FastifyRequest, RawReply = FastifyReply',
    'LoggerConfig',
    'The option `logger` as an object.',
  ],
  FastifyLogFn: ['', 'LogFn', 'Writes a line to the log.'],
  FastifyChildLoggerFactory: [LIFE, `ChildLoggerFactory<${INSTANCE}>`, 'Creates the logger of a request.'],

  FastifyPluginCallback: [
    PLUGIN,
    `(instance: ${PLUGGED}, options: Options, done: (error?: Error) => void) => void`,
    'A plugin that calls `done`.',
  ],
  FastifyPluginAsync: [
    PLUGIN,
    `(instance: ${PLUGGED}, options: Options) => Promise<void>`,
    'A plugin that returns a promise.',
  ],
  FastifyPlugin: [
    'Options',
    'FastifyPluginCallback<Options> | FastifyPluginAsync<Options>',
    'A plugin of either style.',
  ],
  FastifyRegisterOptions: [
    'Options = Record<never, never>',
    '(RegisterOptions & Options) | ((instance: FastifyInstance) => RegisterOptions & Options)',
    'The second argument of `register`.',
  ],
  FastifyRegister: ['T = void, RawServer, TypeProvider, Logger', 'Register', 'The type of `register`.'],

  FastifyErrorCodes: [
    '',
    '{ readonly [Code in ErrorCode]: new (...details: never[]) => CloisterError }',
    'The constructors of coded errors, by code.',
  ],
  FastifySchemaValidationError: ['', 'ValidationIssue', 'One violation.'],
  ValidationResult: ['', 'ValidationIssue', 'One violation, under its name in Fastify 4.x.'],
  SchemaErrorDataVar: ['', 'HttpPart', 'The part of a request, for a formatter of errors.'],
  FastifySchemaCompiler: ['Schema = unknown', 'ValidatorCompiler<Schema>', 'Compiles request schemas.'],
  FastifySerializerCompiler: ['Schema = unknown', 'SerializerCompiler<Schema>', 'Compiles response schemas.'],

  RequestGenericInterface: ['', "Omit<RouteGeneric, 'Reply'>", 'The types of the request parts.'],
  ReplyGenericInterface: ['', "Pick<RouteGeneric, 'Reply'>", 'The type of the payload.'],
  RequestRouteOptions: [
    'Config = unknown',
    'ResolvedRouteOptions<Config>',
    'The options of a route, as requests have them.',
  ],
  FastifyRouteConfig: ['', 'RouteConfig', 'The keys that the framework adds to the `config` of a route.'],
  FastifyReplyContext: [
    'Config = unknown',
    'FastifyRequestContext<Config>',
    'The `config` of a route, as replies have it.',
  ],
  RouteHandlerMethod: [
    ROUTE,
    `(
  this: FastifyInstance,
  request: ${REQUEST},
  reply: ${REPLY},
) => HandlerResult<ProvidedSendable<RouteGeneric, SchemaCompiler, TypeProvider>>`,
    'A handler that states its own types.',
  ],
  RouteHandler: [
    `RouteGeneric, ${RAW}, ContextConfig, SchemaCompiler, TypeProvider, Logger`,
    `RouteHandlerMethod<${ROUTE}>`,
    'A handler that states its own types; those of the route come first.',
  ],

  FastifyBodyParser: [
    `RawBody extends string | Buffer, ${PARSER}`,
    `BodyParser<RawBody, ${PARSED}>`,
    'Parses a body that was read in full.',
  ],
  FastifyContentTypeParser: [PARSER, `StreamParser<${PARSED}>`, 'Parses a body from its stream.'],
  AddContentTypeParser: [PARSER, 'AddParser', 'The type of `addContentTypeParser`.'],
  hasContentTypeParser: [
    '',
    "CloisterInstance['hasContentTypeParser']",
    'The type of `hasContentTypeParser`.',
  ],
  removeContentTypeParser: [
    '',
    "CloisterInstance['removeContentTypeParser']",
    'The type of `removeContentTypeParser`.',
  ],
  removeAllContentTypeParsers: [
    '',
    "CloisterInstance['removeAllContentTypeParsers']",
    'The type of `removeAllContentTypeParsers`.',
  ],
  getDefaultJsonParser: [
    '',
    "CloisterInstance['getDefaultJsonParser']",
    'The type of `getDefaultJsonParser`.',
  ],
  ProtoAction: ['', 'PoisoningAction', 'What happens to `__proto__` in a JSON body.'],
  ConstructorAction: ['', 'PoisoningAction', 'What happens to `constructor.prototype` in a JSON body.'],

  HookHandlerDoneFunction: ['', 'Done', 'Ends a hook.'],
  DoneFuncWithErrOrRes: ['', 'DoneWith<unknown>', 'Ends a hook that may replace a value.'],
  RequestPayload: ['', 'BodyStream', 'The stream of a request body.'],
  onRouteHookHandler: [
    ROUTE,
    `(this: ${INSTANCE}, options: RegisteredRoute & { config?: ContextConfig }) => void`,
    'A hook `onRoute`.',
  ],
  onRegisterHookHandler: [
    `${LIFE}, Options extends FastifyPluginOptions = FastifyPluginOptions`,
    `(this: ${INSTANCE}, instance: ${INSTANCE}, options: RegisterOptions & Options) => void`,
    'A hook `onRegister`.',
  ],
  ...lifeHooks({ onReady: '', onListen: '', preClose: '', onClose: `, instance: ${INSTANCE}` }),
}

/** @param {Readonly<Record<string, string>>} hooks their arguments, by name */
function lifeHooks(hooks) {
  return Object.fromEntries(
    Object.entries(hooks).flatMap(([name, args]) => [
      [`${name}HookHandler`, [LIFE, `(this: ${INSTANCE}${args}, done: Done) => void`, `A hook \`${name}\`.`]],
      [
        `${name}AsyncHookHandler`,
        [LIFE, `(this: ${INSTANCE}${args}) => Promise<unknown>`, `A hook \`${name}\` that is asynchronous.`],
      ],
    ]),
  )
}
