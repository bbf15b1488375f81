import { cloister } from 'cloister'

import { database } from './plugins/database.ts'
import { schemas } from './plugins/shared-schemas.ts'
import { adminRoutes } from './routes/admin.ts'
import { bookRoutes } from './routes/books.ts'
import type { Settings } from './settings.ts'

/**
 * The tree of contexts:
 *
 *     root          the database and the schemas, which both children see
 *     ├─ books      open to everyone
 *     └─ admin      for those with the key, with an error handler of its own
 */
export function createApp(settings: Omit<Settings, 'host' | 'port'>) {
  const app = cloister({ logger: { level: settings.logLevel } })
    .register(schemas)
    .register(database, { file: settings.databaseFile })

  app.register(bookRoutes)
  app.register(adminRoutes, { prefix: '/admin', key: settings.adminKey })
  return app
}
