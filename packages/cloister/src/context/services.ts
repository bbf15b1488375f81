import type { SchemaEngine } from '@cloister/schema'

import type { LibrarySchemas } from '../libraries/library-schemas.ts'
import type { Logger } from '../logging/logger.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import type { CallSite } from '../call-site.ts'
import type { Overrides } from './overrides.ts'

/** Where an app is in its life. Routes, hooks and plugins can be added while it is loading, and never after. */
export type AppPhase = 'loading' | 'starting' | 'ready' | 'closing' | 'closed'

/** When and by what the app was sealed; the error of a late registration says it. */
export interface Seal {
  readonly at: number
  readonly callSite: CallSite
}

/** The services of an app for its contexts and their routes. */
export interface ContextServices {
  readonly options: AppOptions
  readonly logger: Logger
  readonly engine: SchemaEngine
  /** validates JSON bodies without coercion, where `coerceJsonBodies` is false */
  readonly uncoercedEngine: SchemaEngine | null
  /** validates messages, which are never coerced */
  readonly messageEngine: SchemaEngine
  /** reads the schemas of other libraries */
  readonly libraries: LibrarySchemas
  /** values that tests have in place of decorators */
  readonly overrides: Overrides
  readonly phase: AppPhase
  readonly seal: Seal | null
}
