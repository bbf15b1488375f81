// `npm run build`: builds what is published, and the examples.
import { build } from './lib/build.mjs'

try {
  await build()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
