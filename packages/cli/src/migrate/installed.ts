import { readFileSync } from 'node:fs'
import path from 'node:path'

import { objectOf } from '../diff/json.ts'

/** What is installed under a name. An alias installs a package with another name. */
export interface Installed {
  readonly name: string
  readonly version: string
}

/** Returns the package in the folder `node_modules/NAME` of a project; `null` if there is none. */
export function installedAs(folder: string, name: string): Installed | null {
  try {
    const text = readFileSync(path.join(folder, 'node_modules', name, 'package.json'), 'utf8')
    const manifest = objectOf(JSON.parse(text))
    return { name: String(manifest['name']), version: String(manifest['version']) }
  } catch {
    return null
  }
}

/** Says that the package manager kept Fastify though the manifest has an alias, and which command installs the alias. */
export function keptFastify(version: string, command: string): string {
  return `node_modules/fastify is still Fastify ${version}: the package manager kept it, because its version fits the range of the alias; this command replaces it: ${command}`
}
