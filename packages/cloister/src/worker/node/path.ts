/** Returns the folder of a file; the paths in stacks of workers have slashes. */
export function dirname(file: string): string {
  return file.slice(0, Math.max(file.lastIndexOf('/'), 0))
}
