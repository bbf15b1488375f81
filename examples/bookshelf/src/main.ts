import { createApp } from './app.ts'
import { readSettings } from './settings.ts'
import type { Settings } from './settings.ts'
import { formatWelcome } from './welcome.ts'

async function main(settings: Settings): Promise<void> {
  const app = createApp(settings)
  // The first signal closes: requests under way get their responses, the database is closed. A second one ends at once.
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => void app.close())
  }
  const address = await app.listen({ host: settings.host, port: settings.port })
  console.log(formatWelcome(address, app.printRoutes({ commonPrefix: false }), settings))
}

try {
  await main(readSettings(process.env))
} catch (error) {
  console.error(`bookshelf: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
