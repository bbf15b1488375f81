/** The folders of what our packages publish. */
export const OWN_FOLDER: string = String.raw`[\\/](?:cloister|@cloister[\\/]\w+|packages[\\/]\w+)[\\/]dist[\\/]`

const OWN = new RegExp(OWN_FOLDER)

/** Whether a file is a module of our packages. */
export function isOwn(file: string): boolean {
  return OWN.test(file)
}
