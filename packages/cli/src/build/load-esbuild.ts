import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Esbuild from 'esbuild'

import { CommandError } from '../session.ts'

/** The functions of esbuild that are used. */
export type Bundler = Pick<typeof Esbuild, 'build' | 'transform'>

/**
 * Loads esbuild, which the project installs: a platform's binary is too large for a command that most do not need it for.
 *
 * @throws CommandError with the code 3 if the project does not have it
 */
export async function loadEsbuild(folder: string): Promise<Bundler> {
  const found = resolveFrom(path.join(folder, 'package.json'))
  if (found === null)
    throw new CommandError(
      3,
      'cloister build needs esbuild, which is not installed: npm install --save-dev esbuild\n',
    )
  const loaded: unknown = await import(pathToFileURL(found).href)
  const bundler: unknown = isBundler(loaded) ? loaded : Reflect.get(Object(loaded), 'default')
  if (!isBundler(bundler)) throw new CommandError(3, `${found} is not esbuild\n`)
  return bundler
}

function isBundler(value: unknown): value is Bundler {
  return ['build', 'transform'].every((name) => typeof Reflect.get(Object(value), name) === 'function')
}

function resolveFrom(file: string): string | null {
  try {
    return createRequire(file).resolve('esbuild')
  } catch {
    return null
  }
}
