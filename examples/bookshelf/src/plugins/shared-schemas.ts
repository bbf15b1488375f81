import { plugin } from '@cloister/plugin'
import type { Cloister } from 'cloister'

import { sharedSchemas as shared } from '../schemas.ts'

/** Shares the schemas with the context that registers the plugin, and with every context below. */
export const schemas = plugin(
  (app: Cloister) =>
    app
      .addSchema(shared.common)
      .addSchema(shared.book)
      .addSchema(shared.bookQuery)
      .addSchema(shared.bookChanges)
      .addSchema(shared.bookPage)
      .addSchema(shared.newReview)
      .addSchema(shared.review)
      .addSchema(shared.counts)
      .addSchema(shared.stats)
      .addSchema(shared.problem),
  { name: 'schemas' },
)
