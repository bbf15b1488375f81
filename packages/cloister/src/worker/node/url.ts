/** Returns the path in a URL of a file. */
export function fileURLToPath(url: string): string {
  return decodeURIComponent(new URL(url).pathname)
}
