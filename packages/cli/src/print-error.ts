// Frames of Node.js, of this command and of the framework say nothing about a mistake in the app.
const OWN_FRAME = /^ {4}at .*(?:node:|[\\/]node_modules[\\/](?:@cloister[\\/]|cloister[\\/]|commander[\\/]))/

/** Prints an error of the app: its message, its code, and the frames outside of the framework. */
export function printError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code: unknown = Reflect.get(error, 'code')
  const stack = error.stack ?? String(error)
  const head = `${error.name}: `
  const coded =
    typeof code === 'string' && stack.startsWith(head)
      ? `${error.name} [${code}]: ${stack.slice(head.length)}`
      : stack
  const help: unknown = Reflect.get(error, 'help')
  const lines = coded.split('\n').filter((line) => !OWN_FRAME.test(line))
  return [...lines, ...(typeof help === 'string' ? ['', help] : [])].join('\n')
}
