import { cloister } from 'cloister'

import { database } from './plugins/database.ts'
import { schemas } from './plugins/shared-schemas.ts'
import { adminRoutes } from './routes/admin.ts'
import { publicRoutes } from './routes/public.ts'
import { readSettings } from './settings.ts'
import type { Settings } from './settings.ts'

/**
 * The tree of contexts:
 *
 *     root          the database and the schemas, which both children see
 *     ├─ public     open to everyone
 *     └─ admin      for those with the key
 */
export function createApp(settings: Omit<Settings, 'host' | 'port'> = readSettings(process.env)) {
  const app = cloister({ strict: true, problemDetails: true, logger: { level: settings.logLevel } })
    .register(schemas)
    .register(database, { file: settings.databaseFile })

  app.register(publicRoutes)
  app.register(adminRoutes, { prefix: '/admin', key: settings.adminKey })
  return app
}
