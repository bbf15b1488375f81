import { isBuiltin } from 'node:module'
import type { Plugin } from 'esbuild'

const ONCE = 'cloister-missing'

/**
 * Leaves out packages that are not installed and that code loads by `require`. Optional packages are loaded that way: the
 * call fails when it runs, as without a bundle.
 *
 * @param missing - gets what was left out
 */
export function leaveMissing(missing: Set<string>): Plugin {
  return {
    name: ONCE,
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (kind !== 'require-call' || pluginData !== undefined || isBuiltin(path)) return undefined
        const found = await build.resolve(path, { kind, resolveDir, pluginData: ONCE })
        if (found.errors.length === 0) return undefined
        missing.add(path)
        return { path, external: true }
      })
    },
  }
}
