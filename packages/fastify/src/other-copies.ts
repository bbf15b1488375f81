import Module from 'node:module'

/**
 * The folder of a package by its name, within the path of a loaded file. What has the scope is an alias in a store of
 * links, as pnpm makes them: another `fastify`.
 */
const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@cloister[\\/](?=fastify))?(fastify|cloister))[\\/]/

/**
 * Finds packages that are loaded more than once under the names `fastify` and `cloister`: two frameworks in one
 * process, whose apps take no plugins and no classes of each other.
 *
 * @param files - paths of loaded files
 * @returns for each such name the folders, as they were loaded
 */
export function findCopies(files: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, Set<string>>()
  for (const file of files) {
    const [, folder, name] = PACKAGE.exec(file) ?? []
    if (folder === undefined || name === undefined) continue
    const found = folders.get(name) ?? new Set()
    folders.set(name, found.add(folder))
  }
  return new Map(
    [...folders].filter(([, found]) => found.size > 1).map(([name, found]) => [name, [...found]]),
  )
}

/** Warns of copies that are loaded now, with the way out. Where a loader keeps no such list, nothing is found. */
export function warnOfCopies(): void {
  const loaded: unknown = Reflect.get(Module, '_cache')
  if (typeof loaded !== 'object' || loaded === null) return
  for (const [name, folders] of findCopies(Object.keys(loaded))) {
    process.emitWarning(
      `'${name}' is loaded from ${folders.join(' and ')}: these are two frameworks, and neither takes the other's plugins, classes and errors. Give package.json an override, so that all packages get the same one: "overrides": { "fastify": "$fastify" }; "npm ls ${name}" shows who brings the other`,
      { type: 'CloisterWarning', code: 'CLO_WRN_TWO_COPIES' },
    )
  }
}
