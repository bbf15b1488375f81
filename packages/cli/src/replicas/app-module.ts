/** Returns the names that a file exports itself; what it exports of other files is not among them. */
async function exportsOf(file: string, source: string): Promise<string[]> {
  const { parseSync } = await import('oxc-parser')
  const { module } = parseSync(file, source)
  const names = module.staticExports.flatMap(({ entries }) =>
    entries.map(({ exportName, isType }) =>
      isType ? null : exportName.kind === 'Default' ? 'default' : exportName.name,
    ),
  )
  return names.filter((name): name is string => name !== null)
}

/**
 * Returns the source of the module that the tests get in place of the app's file.
 *
 * @param url - of the file, without the number of a replica
 * @param runtime - the URL of this package's module with `replicate`
 */
export async function appModule(file: string, source: string, url: string, runtime: string): Promise<string> {
  const names = await exportsOf(file, source)
  const lines = names.map((name) =>
    name === 'default' ? 'export default exported.default' : `export const ${name} = exported.${name}`,
  )
  const [from, ofRuntime] = [url, runtime].map((one) => JSON.stringify(one))
  return `import { replicate } from ${ofRuntime}
const load = (id) => import(/* @vite-ignore */ ${from} + '?replica=' + id)
const exported = await replicate(load)
export * from ${JSON.stringify(`${url}?replica=0`)}
${lines.join('\n')}
`
}
