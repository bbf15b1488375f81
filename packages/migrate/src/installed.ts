import { existsSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'

import { objectOf } from '@cloister/cli/internal'
import { BRINGING } from './alias-manifest.ts'

/** What is installed under a name. An alias installs a package with another name. */
export interface Installed {
  readonly name: string
  readonly version: string
}

/**
 * Returns the package that code in a folder gets under a name: from `node_modules` of this folder or of one above it, or
 * from a framework there that brings it. `null` if there is none.
 */
export function installedAs(folder: string, name: string): Installed | null {
  const frameworks = BRINGING.map((framework) => locate(folder, framework)).filter((found) => found !== null)
  const found = [folder, ...frameworks].map((from) => locate(from, name)).find((one) => one !== null)
  if (found === undefined) return null
  const manifest = objectOf(JSON.parse(readFileSync(path.join(found, 'package.json'), 'utf8')))
  return { name: String(manifest['name']), version: String(manifest['version']) }
}

/** Returns the folder of a package that code in another folder gets. pnpm links packages, so links are followed. */
function locate(from: string, name: string): string | null {
  const found = path.join(from, 'node_modules', name)
  if (existsSync(path.join(found, 'package.json'))) return realpathSync(found)
  const above = path.dirname(from)
  return above === from ? null : locate(above, name)
}
