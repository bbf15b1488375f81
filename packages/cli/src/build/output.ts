import { realpath, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { CommandError } from '../session.ts'
import type { Bundle } from './bundle.ts'

/**
 * Refuses to write over a module of the app, or to a folder.
 *
 * @param modules - the files of the app, as far as they are known
 * @throws CommandError with the code 2
 */
export async function assertOutput(out: string, modules: readonly string[]): Promise<void> {
  const found = await stat(out).catch(() => null)
  if (found === null) return
  if (found.isDirectory())
    throw new CommandError(
      2,
      `${out} is a folder; give the file to write, such as --out ${path.join(out, 'built.mjs')}\n`,
    )
  const own = await realpath(out)
  for (const file of modules) {
    if ((await realpath(file).catch(() => null)) !== own) continue
    throw new CommandError(
      2,
      `${out} is a module of the app, which the build would replace; give another file: --out dist/built.mjs\n`,
    )
  }
}

/** Returns the files of a bundle, whose names are relative to a folder. */
export function modulesOf({ metafile }: Bundle, folder: string): string[] {
  return Object.keys(metafile.inputs).map((name) => path.resolve(folder, name))
}

/**
 * Writes a bundle with its map, and removes the code cache of an earlier build.
 *
 * @throws CommandError with the code 3 if the files cannot be written
 */
export async function writeOutput(out: string, { code, map }: Bundle): Promise<void> {
  try {
    await writeFile(out, code)
    await writeFile(`${out}.map`, map)
    await rm(`${out}.cache`, { force: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(3, `${out} cannot be written: ${reason}\n`, error)
  }
}
