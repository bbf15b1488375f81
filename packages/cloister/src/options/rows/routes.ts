import { createError } from '../../errors.ts'
import { isFunction, recordOf, typeName } from '../../guards.ts'
import type { Ctx } from '../../types/context.ts'
import type { RequestHookName } from '../../types/hooks.ts'
import type { HttpMethod } from '../../types/raw.ts'
import type { FullRouteOptions } from '../../types/route.ts'
import type { SharedOption } from '../checked-options.generated.ts'
import type { RouteCheck, RouteOptionRow } from '../option-row.ts'

const OF_CONTEXT = 'of the context'

const mustBeFunction: RouteCheck = (given, name, route) =>
  isFunction(given)
    ? null
    : createError('SETTING_NOT_FN', { name: `${name} of ${route}`, type: typeName(given) })

const mustBeBoolean: RouteCheck = (given, name, route) => {
  const problem = `'${name}' must be a boolean, got ${typeName(given)}`
  return typeof given === 'boolean' ? null : createError('ROUTE_OPTION_INVALID', { route, problem })
}

const mustBeUpgrade: RouteCheck = (given, _name, route) => {
  const { protocol, take } = recordOf(given)
  if (typeof protocol === 'string' && protocol !== '' && isFunction(take)) return null
  const problem = "'upgrade' must be { protocol, take }: the name of a protocol, and a function"
  return createError('ROUTE_OPTION_INVALID', { route, problem })
}

const mustBeHandler: RouteCheck = (given, _name, route) =>
  isFunction(given) ? null : createError('ROUTE_HANDLER_NOT_FN', { what: 'Error Handler', route })

/**
 * Route options declared by other packages of this repository, whose declarations are part of the same program here.
 */
type PluginOption = 'idempotency' | 'mcp' | 'otel' | 'web'

/** The route options of the public interface, without hooks and without those of the app. */
type RouteOnlyOption = Exclude<
  keyof FullRouteOptions<Ctx, HttpMethod, string, {}, {}, unknown> & string,
  SharedOption | RequestHookName | PluginOption
>

/** Options that only routes have. Rows of app options with a member `route` are also route options. */
export const routeOnlyOptions: Readonly<Record<RouteOnlyOption, RouteOptionRow>> = {
  method: { doc: 'Sets the method, or a list of methods.' },
  url: { doc: 'Sets the path, below the prefix of the context.' },
  path: { doc: 'Same as `url`, for apps of Fastify 4.x.' },
  handler: {
    doc: 'Handles a valid request: returns the payload, or sends the reply.',
  },
  schema: {
    doc: 'Sets the schemas of `body`, `querystring` (or `query`), `params`, `headers` and `response`.',
  },
  attachValidation: {
    type: 'boolean',
    default: '`false`',
    doc: 'Runs the handler for invalid requests too, with `request.validationError` set.',
  },
  rawBody: {
    type: 'boolean',
    default: '`false`',
    doc: 'Keeps the bytes of the body in `request.rawBody`, for signatures of webhooks. A body that a parser reads as a stream gets the status 415.',
    check: mustBeBoolean,
    throws: ['ROUTE_OPTION_INVALID'],
  },
  upgrade: {
    type: 'RouteUpgrade',
    doc: 'Switches requests that ask for it to another protocol: `take` gets their connection, after the hooks and the validation of the route. Plugins such as `@cloister/websocket` use it.',
    check: mustBeUpgrade,
    throws: ['ROUTE_OPTION_INVALID'],
  },
  validatorCompiler: {
    type: 'ValidatorCompiler<never>',
    default: OF_CONTEXT,
    doc: 'Sets the compiler that turns the request schemas of this route into validators.',
    check: mustBeFunction,
  },
  serializerCompiler: {
    type: 'SerializerCompiler<never>',
    default: OF_CONTEXT,
    doc: 'Sets the compiler that turns the response schemas of this route into serializers.',
    check: mustBeFunction,
  },
  serialization: {
    type: "'compat' | 'strict'",
    default: OF_CONTEXT,
    doc: "Sets how payloads are converted to the types of their schemas; with `'strict'`, a lossy conversion is an error.",
  },
  schemaErrorFormatter: {
    type: 'SchemaErrorFormatter',
    default: OF_CONTEXT,
    doc: 'Sets the function that creates the error of a failed validation.',
    check: mustBeFunction,
  },
  errorHandler: {
    default: OF_CONTEXT,
    doc: 'Handles the errors of this route; an error that it throws goes to the handler of the context.',
    check: mustBeHandler,
  },
  exposeHeadRoute: {
    type: 'boolean',
    default: 'the option `exposeHeadRoutes` of the app',
    doc: 'Adds a HEAD route for this GET route.',
  },
  prefixTrailingSlash: {
    type: "'slash' | 'no-slash' | 'both'",
    default: "`'both'`",
    doc: 'Sets how the path `/` below a prefix is registered: as `/prefix/`, as `/prefix`, or as both.',
  },
  constraints: {
    type: 'RouteConstraints',
    doc: 'Sets constraints, which select between routes with the same path: `version`, `host`, and your own.',
    example: "{ constraints: { version: '2.0.0' } }",
  },
  version: {
    type: 'string',
    doc: 'Sets the constraint `version`.',
    deprecated: 'Use `constraints.version`.',
  },
  logLevel: {
    type: 'LogLevel',
    default: OF_CONTEXT,
    doc: 'Sets the lowest level that is logged.',
    throws: ['ROUTE_LOG_LEVEL_INVALID'],
  },
  logSerializers: {
    type: '{ readonly [key: string]: (value: never) => unknown }',
    default: OF_CONTEXT,
    doc: 'Sets functions that convert values for the log, by property name.',
  },
  childLoggerFactory: {
    type: 'ChildLoggerFactory',
    default: OF_CONTEXT,
    doc: 'Sets the function that creates the loggers of requests to this route.',
  },
  config: {
    default: '`{}`',
    doc: 'Sets data for plugins and handlers, available as `request.routeOptions.config`.',
  },
}
