import type { SchemaEngine } from '@cloister/schema'

import type { LibrarySchemas } from '../libraries/library-schemas.ts'
import type { Logger } from '../logging/logger.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import type { CallSite } from '../call-site.ts'
import type { AnyFunction, Dictionary } from '../guards.ts'
import type { Context } from './context.ts'
import type { ExactInput } from '../body/exact/rules.ts'
import type { Guards } from './guard.ts'
import type { Overrides } from './overrides.ts'

/** The phase of an app. Routes, hooks and plugins can be added only while it is `loading`. */
export type AppPhase = 'loading' | 'starting' | 'ready' | 'closing' | 'closed'

/** When the app was sealed, and by which call; for the error of a late registration. */
export interface Seal {
  readonly at: number
  readonly callSite: CallSite
}

/** The handler of requests that match no route, for one prefix. */
export interface NotFoundHandler {
  /** `null` for that of the framework */
  readonly handler: AnyFunction | null
  /** hooks (`preValidation`, `preHandler`) and an `errorHandler`, checked */
  readonly options: Dictionary
  readonly context: Context
  readonly callSite: CallSite
}

/** The services of an app that compile schemas. */
export interface SchemaServices {
  readonly options: AppOptions
  readonly engine: SchemaEngine
  /** returns the engine without coercion: for messages, and for JSON bodies if `coerceJsonBodies` is false */
  readonly uncoercedEngine: () => SchemaEngine
  readonly libraries: LibrarySchemas
}

/** The services of an app that its contexts and their routes use. */
export interface ContextServices extends SchemaServices {
  readonly logger: Logger
  readonly exact: ExactInput
  /** values that tests use instead of decorators */
  readonly overrides: Overrides
  readonly guards: Guards
  readonly phase: AppPhase
  readonly seal: Seal | null
}
