import { bearerGuard } from '@cloister/bearer-auth'

import type { ShelfApp } from '../shelf-app.ts'
import { adminBookRoutes } from './admin-books.ts'
import { adminReviewRoutes } from './admin-reviews.ts'
import { problems } from './parts.ts'

/**
 * The admin context: changing what is on the shelf. The guard holds for every route of this context and of the contexts
 * below, and for none outside.
 */
export async function adminRoutes(app: ShelfApp, options: { readonly key: string }): Promise<void> {
  app.addGuard('isAdmin', bearerGuard({ keys: [options.key], realm: 'bookshelf' }))

  app.register(adminBookRoutes)
  app.register(adminReviewRoutes)
  app.get('/stats', { schema: { response: { 200: { $ref: 'stats#' }, ...problems } } }, async () =>
    app.library.stats(),
  )
}
