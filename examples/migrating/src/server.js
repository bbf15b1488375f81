import { build } from './app.js'

const app = build({ logger: true })

try {
  await app.listen({ port: Number(process.env.PORT ?? 3000) })
} catch (error) {
  app.log.error(error)
  process.exitCode = 1
}
