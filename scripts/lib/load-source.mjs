import { rolldown } from 'rolldown'

/**
 * Imports a TypeScript module of a package from its source, with what it imports. Types are not checked, so that
 * the types can be made from the module.
 *
 * @param {string} file @returns {Promise<unknown>}
 */
export async function loadSource(file) {
  const bundle = await rolldown({
    input: file,
    platform: 'node',
    tsconfig: false,
    resolve: { conditionNames: ['@cloister/source', 'import', 'node'] },
  })
  try {
    const { output } = await bundle.generate({ format: 'esm' })
    return await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
  } finally {
    await bundle.close()
  }
}
