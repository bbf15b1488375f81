import { isBuiltin } from 'node:module'
import type { Plugin } from 'esbuild'

const REQUIRED = 'cloister-required'

/**
 * Turns `require` of Node's modules that stay imports into `import`: workers have some of them with a flag, but no
 * `require`.
 *
 * @param external - what stays an import, as the user wrote it; `*` stands for any text
 */
export function importRequired(external: readonly string[]): Plugin {
  return {
    name: REQUIRED,
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        const stays = kind === 'require-call' && isBuiltin(path) && external.some((one) => fits(one, path))
        return stays ? { path, namespace: REQUIRED } : undefined
      })
      build.onLoad({ filter: /./, namespace: REQUIRED }, ({ path }) => ({
        contents: `export * from ${JSON.stringify(path)}; export { default } from ${JSON.stringify(path)}`,
        loader: 'js',
      }))
    },
  }
}

function fits(pattern: string, path: string): boolean {
  const [start = '', end] = pattern.split('*')
  return end === undefined ? path === pattern : path.startsWith(start) && path.endsWith(end)
}
