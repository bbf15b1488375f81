import { bearerAuth } from '@cloister/bearer-auth'

import { answerProblem, PROBLEM_TYPE, toProblem } from '../plugins/problems.ts'
import type { ShelfApp } from '../shelf-app.ts'
import { adminBookRoutes } from './admin-books.ts'
import { adminReviewRoutes } from './admin-reviews.ts'
import { problems } from './parts.ts'

/**
 * The admin context: changing what is on the shelf. The guard and the error handler hold for every route of this
 * context and of the contexts below, and for none outside.
 */
export async function adminRoutes(app: ShelfApp, options: { readonly key: string }): Promise<void> {
  app.register(bearerAuth, {
    keys: [options.key],
    realm: 'bookshelf',
    verifyErrorLogLevel: 'info',
    contentType: PROBLEM_TYPE,
    errorResponse: (error: Error) => toProblem(error, 401),
  })
  app.setErrorHandler(answerProblem)

  app.register(adminBookRoutes)
  app.register(adminReviewRoutes)
  app.get('/stats', { schema: { response: { 200: { $ref: 'stats#' }, ...problems } } }, async () =>
    app.library.stats(),
  )
}
