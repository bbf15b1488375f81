/** The folders of what our packages publish. */
export const OWN_FOLDER: string = String.raw`[\\/](?:cloister|@cloister[\\/]\w+|packages[\\/]\w+)[\\/]dist[\\/]`

const CORE = /[\\/](?:cloister|(?:@cloister|packages)[\\/](?:cloister|schema|wire))[\\/]dist[\\/]/

/** Whether a file is a module of the framework itself: other packages of ours call it as user code does. */
export function isCore(file: string): boolean {
  return CORE.test(file)
}

/**
 * Returns the file of a module of the framework for workers, or `undefined` if it is not among the files.
 *
 * @param name - its path in `worker-bundle`, with `/`
 */
export function workerModule(files: Iterable<string>, name: string): string | undefined {
  return [...files].find((file) =>
    file.replaceAll('\\', '/').endsWith(`/cloister/dist/worker-bundle/${name}`),
  )
}
