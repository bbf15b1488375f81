// Every type of the public surface; `index.ts` re-exports this list.

export type {
  Child,
  Context,
  ContextFrom,
  ContextOf,
  ContextParts,
  Ctx,
  OpenContext,
  Widen,
  Within,
} from './context.ts'
export type { Cloister, CloisterInstance, LoadingCloister } from './instance.ts'
export type { FoundRoute, RouteQuery } from './routing.ts'
export type { CloisterRequest, RequestParts } from './request.ts'
export type { CloisterReply, HeaderName, TrailerFunction } from './reply.ts'
export type { ContextReply, ContextRequest, RequestWithin, RouteReply } from './request-of.ts'
export type { OpenHome } from './context.ts'
export type { Accessor } from './decorate.ts'
export type { Handler, HandlerResult, RegisteredRoute, ReplyOf, RequestOf } from './route.ts'
export type { ResolvedRouteOptions, RouteConfig, RouteConstraints } from './route-options.ts'
export type { RouteGeneric, RouteSchema } from './route-schema.ts'
export type { Infer, InferReply } from './infer-schema.ts'
export type { ParamsOf } from './params.ts'
export type { Problem } from './problem.ts'
export type { ProblemDetails, ProblemIssue } from './errors.ts'
export type { SharedSchemas } from './refs.ts'
export type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts'
export type {
  DefinedPlugin,
  DefinePlugin,
  PluginContract,
  PluginDefinition,
  PluginFunction,
  ProvidedBy,
} from './plugin.ts'
export type {
  ApplicationHookName,
  ApplicationHooks,
  BodyStream,
  ContextHooks,
  HookName,
  RequestHookName,
  RequestHooks,
} from './hooks.ts'
export type { CaughtError, ErrorCode, ValidationContext, ValidationError, ValidationIssue } from './errors.ts'
export type {
  CompilerInput,
  HttpPart,
  InputValidator,
  SchemaControllerOptions,
  SerializerCompiler,
  SerializerInput,
  ValidationOutcome,
  ValidatorCompiler,
  ValidatorFunction,
} from './compilers.ts'
export type { BodyParser, ParserDone, PoisoningAction, StreamParser } from './content-type.ts'
export type {
  BaseLogger,
  Bindings,
  ChildLoggerOptions,
  LogDestination,
  LoggerConfig,
  LogLevel,
  PinoLoggerOptions,
} from './logger.ts'
export type { AjvOptions, TrustedHops, ValidationTranslation, ValidationTranslator } from './options.ts'
export type { PlainRouteOptions, RouterOptions } from './options.generated.ts'
export type {
  AppDescription,
  BodyExplanation,
  ContextDescription,
  DecoratorDescription,
  HandlerDescription,
  HookDescription,
  MissingRoute,
  NearRoute,
  Origin,
  ParserDescription,
  PluginDescription,
  RouteDescription,
  RouteExplanation,
  SchemaExplanation,
  SerializerExplanation,
  SettingDescription,
  SharedSchemaDescription,
  ValidatorExplanation,
} from './description.ts'
export type { CloisterFactory, CloisterOptions, RootContext } from './options.ts'
export type { ListenOptions } from './server.ts'
export type { HttpMethod, RawReplyOf, RawRequestOf, RawServer } from './raw.ts'
export type * from './fastify/names.generated.ts'
