import type { CallSite } from '../call-site.ts'
import type { Deadlines } from './stages/deadline.ts'
import type { SerializeFunction } from '@cloister/schema'

import type { Context } from '../context/context.ts'
import type { RequestHookName } from '../types/hooks.ts'
import type { RequestHook } from '../hooks/request-hook.ts'
import type { ParserLookup } from '../body/parser-table.ts'
import type { AnyFunction, Dictionary } from '../guards.ts'
import type { RouteSettings } from '../options/route-options.ts'
import type { JudgedEntry } from './report/judge.ts'
import type { RequestServices } from './services.ts'
import type { ReplyImpl } from './reply.ts'
import type { RequestImpl } from './request.ts'
import type { ReplyState, RequestState } from './state.ts'
import type { StartObserver } from '../types/observers.ts'
import type { PresetChoice } from './preset-headers.ts'

/** Runs one row of the request path. Returns a promise if the row is asynchronous. */
export type Stage = (plan: RoutePlan, request: RequestState, reply: ReplyState) => unknown

/** The request hooks of a route, adapted and bound, in order. */
export type PlanHooks = Readonly<Record<RequestHookName, readonly RequestHook[]>>

/** A part of the request that a schema can describe. */
export type RequestPart = 'params' | 'body' | 'querystring' | 'headers' | 'cookies'

/** A compiled validator; `errors` has the errors of its last call, as with Ajv. */
export interface PartValidateFunction {
  /** @param holder - its `value` is the data; the validator writes the coerced root value there */
  (data: unknown, holder?: { value: unknown }): unknown
  errors?: readonly unknown[] | null
}

/** A compiled validator. `custom` marks one that the application compiled; its results have another shape. */
export interface PartValidator {
  readonly part: RequestPart
  readonly byMediaType: null
  /** the validator of JSON bodies, if the app does not coerce them */
  readonly uncoerced: PartValidator | null
  readonly validate: PartValidateFunction
  /** writes the coerced root value to `holder.value` */
  readonly replaces: boolean
  /** compiled by the application: returns a boolean, `{ value }` or `{ error }` */
  readonly custom: boolean
  /** the schema allows a missing body, because it has the type `null` */
  readonly allowsMissing: boolean
}

/** The body validators of a `content` map, by media type; a missing one is 415. */
export interface ContentValidators {
  readonly part: 'body'
  readonly byMediaType: ReadonlyMap<string, PartValidator>
  /** Whether a request may come without a body. */
  readonly allowsMissing: boolean
}

/** The validators of a route. */
export interface PlanValidators {
  /** in the order they run */
  readonly inOrder: readonly (PartValidator | ContentValidators)[]
  /** reads the cookies that a schema declares; `null` without one */
  readonly readCookies: ((request: RequestState) => unknown) | null
}

/** The serializers of one response entry: one function, or one per media type. */
export interface StatusSerializers {
  readonly serialize: SerializeFunction | null
  readonly byMediaType: ReadonlyMap<string, SerializeFunction> | null
}

/** The serializers of a route: by status first, then by its class, then `default`. */
export interface PlanSerializers {
  readonly byStatus: ReadonlyMap<number, StatusSerializers>
  readonly byClass: readonly (StatusSerializers | undefined)[]
  readonly fallback: StatusSerializers | null
}

/** The validator and serializer of the messages of a route with `upgrade`; `null` for a direction without a schema. */
export interface PlanMessages {
  readonly incoming: MessageValidator | null
  readonly outgoing: SerializeFunction | null
}

/** A compiled validator of messages; nothing is coerced. */
export type MessageValidator = Pick<PartValidator, 'validate' | 'custom'>

/**
 * Whether requests of this route have a body: `never` by the method or an option, `typed` if it must have a media type.
 * With `seldom`, a body without a media type is not read; with `sent`, it is, like that of a POST.
 */
export type BodyRule = 'never' | 'seldom' | 'sent' | 'optional' | 'expected' | 'typed'

/** The class of requests or replies of one context. */
export type RequestClass = typeof RequestImpl
export type ReplyClass = typeof ReplyImpl

/** An error handler of a route or context. */
export interface PlanErrorHandler {
  readonly handle: AnyFunction
  /** it takes the reply as an argument, and may send it after it has returned */
  readonly takesReply: boolean
}

/** How a route is judged with `strict: 'report'`: what `strict` would use in the place of what the plan has. */
export interface JudgedRoute extends Pick<RoutePlan, 'validators' | 'serializers' | 'messages'> {
  readonly entry: JudgedEntry
  /** a response with an undeclared status would be an error */
  readonly checksStatuses: boolean
  /** 0 if the plan has a timeout itself, or none would apply */
  readonly handlerTimeout: number
}

/**
 * Everything that a request may read. Created once per route at boot, then frozen: requests look nothing up in options,
 * contexts or schemas.
 */
export interface RoutePlan {
  readonly app: RequestServices
  readonly context: Context
  /** `GET /users/:id`, for messages */
  readonly label: string
  /** where the route was defined */
  readonly callSite: CallSite
  /** the options of the route as user code sees them: `request.routeOptions` */
  readonly routeOptions: () => Dictionary
  /** the options of the route, with those of the app as defaults; those that a hot stage reads have their own field */
  readonly settings: RouteSettings
  readonly isNotFound: boolean
  /** the framework's own not-found handler, which reads nothing of the request's body */
  readonly isDefaultNotFound: boolean
  /** responds to HEAD with the headers of a GET route */
  readonly isExposedHead: boolean
  /** starts to watch the events outside of the path: log lines, `onResponse`, `onRequestAbort`, `onTimeout`; `null` if none has listeners */
  readonly watch: ((reply: ReplyState) => void) | null
  /** starts to observe a request (`observeRequests`); `null` where nothing observes the route */
  readonly observer: StartObserver | null
  /** headers that are decided at boot; `null` without any */
  readonly presets: PresetChoice | null
  readonly Request: RequestClass
  readonly Reply: ReplyClass
  readonly handler: AnyFunction
  readonly hooks: PlanHooks
  /** there are `onSend` hooks to run: its own, or for a not-found handler those of a route that may call it */
  readonly runsOnSend: boolean
  /** its `preParsing` hooks only decode bodies */
  readonly onlyDecodes: boolean
  readonly requestStages: readonly Stage[]
  /** for payloads that are values and must be serialized */
  readonly valueStages: readonly Stage[]
  /** for payloads that are text, bytes or streams already */
  readonly readyStages: readonly Stage[]
  /** the stages of a not-found handler, for a request that `reply.callNotFound()` passes on */
  readonly notFoundStages: readonly Stage[]
  /** the media types of its responses, with `contentNegotiation`; `null` where any request is acceptable */
  readonly offers: readonly string[] | null
  readonly bodyRule: BodyRule
  readonly bodyLimit: number
  /** the limit of the route itself, which takes precedence over that of a parser */
  readonly ownBodyLimit: number | null
  readonly parsers: ParserLookup
  /** `request.rawBody` keeps the bytes of the body */
  readonly keepsRawBody: boolean
  readonly validators: PlanValidators | null
  readonly validatorCompiler: AnyFunction | null
  readonly attachValidation: boolean
  readonly schemaErrorFormatter: AnyFunction | null
  readonly serializers: PlanSerializers | null
  /** `null` if the route has no `upgrade` */
  readonly messages: PlanMessages | null
  readonly serializerCompiler: AnyFunction | null
  /** a response schema declares a stream of items, so that a handler may be a generator */
  readonly hasItems: boolean
  /** the mode of serializers, if the route or a context sets it */
  readonly serialization: 'compat' | 'strict' | null
  /** what happens to a response whose status no schema declares; `send` for routes without response schemas */
  readonly undeclaredStatuses: 'send' | 'log' | 'error' | 'judge'
  /** `setReplySerializer` of the nearest context */
  readonly replySerializer: AnyFunction | null
  /** the route's error handler, then those of its contexts from the nearest to the root */
  readonly errorHandlers: readonly PlanErrorHandler[]
  readonly handlerTimeout: number
  /** the open requests with this timeout; `null` without one */
  readonly deadlines: Deadlines | null
  /** `null` without `strict: 'report'` */
  readonly judged: JudgedRoute | null
  readonly logLevel: string
  readonly logSerializers: Dictionary | null
  readonly childLoggerFactory: AnyFunction | null
  readonly genReqId: AnyFunction | null
  /** starts the reply path with a payload */
  readonly reply: (reply: ReplyState, payload: unknown) => void
  /** starts the error path */
  readonly fail: (reply: ReplyState, error: unknown) => void
}
