import type { Cloister, ContextFrom } from 'cloister'

import type { Library } from './library/library.ts'
import type { SharedSchemas } from './schemas.ts'

/** What the plugins of `app.ts` provide, and so what every context below can see. */
export interface Shelf {
  readonly app: { readonly library: Library }
  readonly schemas: SharedSchemas
}

/** The instance that the routes are given. */
export type ShelfApp = Cloister<ContextFrom<Shelf>>
