import type { SchemaEngine } from '@cloister/schema'

import type { Context } from './context/context.ts'
import type { AnyFunction } from './functions.ts'
import type { Logger } from './logging/logger.ts'
import type { LogControl } from './logging/request-log.ts'
import type { AppOptions } from './options/app-options.ts'
import type { Place } from './place.ts'
import type { ReplyImpl } from './request/reply.ts'
import type { RequestImpl } from './request/request.ts'
import type { RoutePlan } from './request/route-plan.ts'
import type { CompilerFinder } from './routes/schemas/compilers.ts'
import type { MethodTable } from './routes/methods.ts'
import type { RouteTable } from './routes/route-table.ts'

/** Where an app is in its life. Routes, hooks and plugins can be added while it is loading, and never after. */
export type AppPhase = 'loading' | 'starting' | 'ready' | 'closing' | 'closed'

/** When and by what the app was sealed; late registrations are told. */
export interface Seal {
  readonly at: number
  readonly place: Place
}

/** Validators and serializers that handlers ask for at run time, compiled once per route and schema. */
export interface AdHocCompilers {
  validator(plan: RoutePlan, schema: object): AnyFunction | undefined
  compileValidator(plan: RoutePlan, schema: object, site: AdHocSite): AnyFunction
  serializer(plan: RoutePlan, schema: object): AnyFunction | undefined
  compileSerializer(plan: RoutePlan, schema: object, site: AdHocSite): AnyFunction
}

/** What a custom compiler is told about a schema that a handler brings. */
export interface AdHocSite {
  readonly method: string
  readonly url: string
  readonly httpPart?: string | undefined
  readonly httpStatus?: string | undefined
  readonly contentType?: string | undefined
}

/** What all contexts of one app share, as they may read it; `app/cloister-app.ts` has it. */
export interface AppState {
  readonly options: AppOptions
  readonly logger: Logger
  /** false for the logger that does nothing */
  readonly hasLogger: boolean
  /** the logger is pino's: its children need no options */
  readonly isPino: boolean
  /** writes the lines about requests */
  readonly logController: LogControl
  /** somebody wants to know of requests: a logger, or a log controller of the application */
  readonly logsRequests: boolean
  readonly engine: SchemaEngine
  /** validates JSON bodies without coercion, where `coerceJsonBodies` is false */
  readonly exactEngine: SchemaEngine | null
  readonly routes: RouteTable
  readonly methods: MethodTable
  readonly adHoc: AdHocCompilers
  /** finds the schema compilers in charge of a context */
  readonly compilers: CompilerFinder
  /** tells whether an address may set forwarded headers; `null` when none may */
  readonly trustProxy: ((address: string, hop: number) => boolean) | null
  readonly root: Context
  /** answers with the raw objects when no route matches, before any not-found handler */
  defaultRoute: AnyFunction | null
  phase: AppPhase
  seal: Seal | null
  /** requests so far, for their ids */
  sequence: number
  parseQuery(text: string): unknown
  createRequestLogger(request: RequestImpl): Logger
  /** the plan of requests that reach no route and no context */
  readonly frameworkPlan: RoutePlan
  /** the plan that answers when no route matches a path */
  findNotFound(target: string): RoutePlan
  callNotFound(reply: ReplyImpl): void
}
