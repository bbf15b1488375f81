import { createRequire } from 'node:module'

/** Whether the name `fastify` leads to Cloister for a file, as the migration guide installs it. */
export function hasAlias(file: string): boolean {
  const manifest = manifestOf('fastify', file)
  return (
    typeof manifest === 'object' && manifest !== null && Reflect.get(manifest, 'name') === '@cloister/fastify'
  )
}

/** The manifest of a package, as a file would find it; null where it is not installed. */
function manifestOf(name: string, file: string): unknown {
  try {
    return createRequire(file)(`${name}/package.json`)
  } catch {
    return null
  }
}
