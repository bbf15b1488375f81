/** The folders of what our packages publish. */
export const OWN_FOLDER: string = String.raw`[\\/](?:cloister|@cloister[\\/]\w+|packages[\\/]\w+)[\\/]dist[\\/]`

const CORE = /[\\/](?:cloister|(?:@cloister|packages)[\\/](?:cloister|schema|wire))[\\/]dist[\\/]/

/** Whether a file is a module of the framework itself: other packages of ours call it as user code does. */
export function isCore(file: string): boolean {
  return CORE.test(file)
}
