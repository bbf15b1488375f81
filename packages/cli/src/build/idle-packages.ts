import { createRequire } from 'node:module'
import path from 'node:path'
import type { Metafile, Plugin } from 'esbuild'

/**
 * Leaves packages out that Node finds beside the written file as well. Others are bundled: package managers may keep the
 * dependencies of a dependency in its own folder, or have another version of them in that of the app.
 *
 * @param names - the packages that the app has not needed while it was built
 * @param out - the file that is written
 */
export function leaveOut(names: readonly string[], out: string): Plugin {
  return {
    name: 'cloister-idle',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path: imported, resolveDir }) => {
        const name = names.find((one) => imported === one || imported.startsWith(`${one}/`))
        if (name === undefined) return undefined
        const wanted = folderOf(name, imported, path.join(resolveDir, 'any.js'))
        const isThere = wanted === null || wanted === folderOf(name, imported, out)
        return isThere ? { path: imported, external: true } : undefined
      })
    },
  }
}

/** Returns those of the names that a bundle has left out. */
export function leftOut(names: readonly string[], { outputs }: Metafile): string[] {
  const imports = Object.values(outputs).flatMap((output) => output.imports.map((one) => one.path))
  return names.filter((name) => imports.some((one) => one === name || one.startsWith(`${name}/`)))
}

/** Returns the folder of a package as a file finds it; `null` if it is not installed. */
function folderOf(name: string, imported: string, file: string): string | null {
  try {
    const found = createRequire(file).resolve(imported)
    const mark = path.join('node_modules', name) + path.sep
    return found.slice(0, found.lastIndexOf(mark) + mark.length)
  } catch {
    return null
  }
}
