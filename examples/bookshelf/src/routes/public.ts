import type { ShelfApp } from '../shelf-app.ts'
import { bookRoutes } from './books.ts'
import { reviewRoutes } from './reviews.ts'

/** The public context: reading books, reading and writing reviews. */
export async function publicRoutes(app: ShelfApp): Promise<void> {
  app.register(bookRoutes)
  app.register(reviewRoutes)
}
