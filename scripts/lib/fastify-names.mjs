// The type names of Fastify 4.x and 5.x that apps and plugins import, each with its type parameters as published and with
// what it is here. `scripts/fastify-types.mjs` writes them; a test compares the parameters with the published packages.

/** The type parameters, by the names that they have in the table. */
const PARAMETERS = {
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

const RAW = 'RawServer, RawRequest, RawReply'
const ROUTE = `${RAW}, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger`
const ERROR = `${RAW}, RouteGeneric, ContextConfig, TError, SchemaCompiler, TypeProvider, Logger`
const LIFE = `${RAW}, Logger, TypeProvider`
const PARSER = 'RawServer, RawRequest, RouteGeneric, SchemaCompiler, TypeProvider'
const PLUGIN = 'Options, RawServer, TypeProvider, Logger'
const SERVER_OPTIONS = 'RawServer, Logger'

const INSTANCE = `FastifyInstance<${LIFE}>`
const REQUEST =
  'FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>'
const REPLY =
  'FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>'
const PARSED = 'FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>'
const PLUGGED =
  'FastifyInstance<RawServer, RawRequestOf<RawServer>, RawReplyOf<RawServer>, Logger, TypeProvider>'

/** Names for what has another name here, or the same one. */
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
 * The aliases: their type parameters, what they are, and their hover text. The name of a parameter that the alias does
 * not use begins with `_`.
 *
 * @type {Readonly<Record<string, readonly [parameters: string, type: string, doc: string]>>}
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
  FastifyHttpsOptions: [SERVER_OPTIONS, 'CloisterOptions<RawServer>', 'Options of the factory, with TLS.'],
  FastifyHttp2Options: [
    'RawServer extends RawServerBase = RawServerBase, Logger',
    'CloisterOptions<RawServer> & { http2: true }',
    'Options of the factory, over HTTP/2.',
  ],
  FastifyHttp2SecureOptions: [
    'RawServer extends RawServerBase = RawServerBase, Logger',
    'FastifyHttp2Options<RawServer>',
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
    'Options',
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
) => HandlerResult<GivenAnswer<RouteGeneric>>`,
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
  onRouteHookHandler: [ROUTE, `(this: ${INSTANCE}, options: RegisteredRoute) => void`, 'A hook `onRoute`.'],
  onRegisterHookHandler: [
    `${LIFE}, Options extends FastifyPluginOptions = FastifyPluginOptions`,
    `(this: ${INSTANCE}, instance: ${INSTANCE}, options: RegisterOptions & Options) => void`,
    'A hook `onRegister`.',
  ],
  ...lifeHooks({ onReady: '', onListen: '', preClose: '', onClose: `, instance: ${INSTANCE}` }),
}

/** The forms of request hooks, by their name in the table of hooks: the arguments, and the type of `done`. */
const FORMS = /** @type {const} */ ({
  request: ['request: Request, reply: Reply', 'Done'],
  body: ['request: Request, reply: Reply, payload: BodyStream', 'DoneWith<BodyStream>'],
  payload: ['request: Request, reply: Reply, payload: Payload', 'DoneWith<Payload>'],
  error: ['request: Request, reply: Reply, error: TError', '() => void'],
  abort: ['request: Request', 'Done'],
})

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

/**
 * The aliases for a request hook.
 *
 * @param {string} name @param {keyof typeof FORMS} form
 * @returns {[name: string, row: (typeof ALIASES)[string]][]}
 */
export function requestHook(name, form) {
  const parameters = form === 'error' ? ERROR : form === 'payload' ? `Payload = unknown, ${ROUTE}` : ROUTE
  const [given, done] = FORMS[form]
  const args = given
    .replace('Request', REQUEST)
    .replace('Reply', REPLY)
    .split(/, (?=reply|payload|error)/)
  const lines = [`this: ${INSTANCE}`, ...args]
  const type = (/** @type {readonly string[]} */ all, /** @type {string} */ result) =>
    `(\n${all.map((line) => `  ${line},\n`).join('')}) => ${result}`
  return [
    [`${name}HookHandler`, [parameters, type([...lines, `done: ${done}`], 'unknown'), `A hook \`${name}\`.`]],
    [
      `${name}AsyncHookHandler`,
      [parameters, type(lines, 'Promise<unknown>'), `A hook \`${name}\` that is asynchronous.`],
    ],
  ]
}

/**
 * The options of a route, which plugins add to. Hooks are methods in `LooseHooks`: the compiler then compares their
 * parameters in both directions, and the options of a route in a context can narrow them.
 *
 * @param {readonly (readonly [name: string, form: string])[]} hooks
 */
export function routeInterfaces(hooks) {
  const methods = Object.entries(FORMS).map(
    ([form, [args, done]]) =>
      `  ${form}(this: Instance, ${args.replace('TError', 'CaughtError').replace(': Payload', ': unknown')}, done: ${done.replace('<Payload>', '<unknown>')}): unknown`,
  )
  const loose = `LooseHooks<FastifyRequest<RouteGeneric, ${RAW.split(', ').slice(0, 2).join(', ')}>, FastifyReply<RouteGeneric, ${RAW}>, FastifyInstance>`
  const members = hooks.map(
    ([name, form]) => `  /** Hooks \`${name}\` of the route. */\n  ${name}?: OneOrMany<${loose}['${form}']>`,
  )
  const head = (/** @type {string} */ name) => `export interface ${name}<\n${lines(ROUTE)}\n>`
  return `interface LooseHooks<Request, Reply, Instance> {
${methods.join('\n')}
  onError(this: Instance, error: CaughtError, request: Request, reply: Reply): unknown
  handler(this: Instance, request: Request, reply: Reply): unknown
}

declare const unused: unique symbol

/** Options of a route without its method, path and handler, and what plugins add to them. */
${head('RouteShorthandOptions')} extends PlainRouteOptions {
  /** The schemas of the route. */
  schema?: SchemaCompiler
  /** Data of the route for plugins and handlers. */
  config?: FastifyContextConfig & ContextConfig
${members.join('\n')}
  /** Handles the errors of the route. */
  errorHandler?: ${loose}['onError']
  /** Exists in types alone. */
  readonly [unused]?: [TypeProvider, Logger]
}

/** Options of a route in full, and what plugins add to them. */
${head('RouteOptions')} extends RouteShorthandOptions<${ROUTE}> {
  /** The method or methods. */
  method: HttpMethod | HttpMethod[]
  /** The path. */
  url: string
  /** Handles the requests of the route. */
  handler: ${loose}['handler']
}

/** Options of a route with its handler among them. */
${head('RouteShorthandOptionsWithHandler')} extends RouteShorthandOptions<${ROUTE}> {
  /** Handles the requests of the route. */
  handler: RouteHandlerMethod<${ROUTE}>
}
`
}

/** Type parameters as lines. @param {string} given names of parameters, or parameters in full */
function lines(given) {
  return parametersOf(given)
    .map((one) => `  ${one},`)
    .join('\n')
}

/** @param {string} given */
function parametersOf(given) {
  return given
    .split(/, (?![^<]*>)/)
    .filter((one) => one !== '')
    .map((one) => Reflect.get(PARAMETERS, one) ?? one)
}

/**
 * The text of an alias.
 *
 * @param {string} name @param {(typeof ALIASES)[string]} row
 */
export function aliasText(name, [given, type, doc]) {
  const all = parametersOf(given)
  const named = all.map((one, index) => {
    const id = /^\w+/.exec(one)?.[0] ?? ''
    const others = [...all.slice(index + 1), type, one.slice(id.length)].join(' ')
    return new RegExp(`(?<![.\\w])${id}\\b(?! =>)`).test(others) ? one : `_${one}`
  })
  const head =
    named.length === 0
      ? name
      : named.length === 1
        ? `${name}<${named[0]}>`
        : `${name}<\n${named.map((one) => `  ${one},`).join('\n')}\n>`
  return `/** ${doc} */\nexport type ${head} = ${type}\n`
}
