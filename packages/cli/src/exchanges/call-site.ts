import path from 'node:path'
import { fileURLToPath } from 'node:url'

const FRAME = /\(?((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*?):(\d+):\d+\)?$/
const DEPENDENCY = /[\\/]node_modules[\\/]/

/** Returns the frames of a stack that are in files of the project, innermost first: `file:line`. */
export function ownFrames(
  stack: string,
  folder: string = process.env['CLOISTER_MIGRATE_FOLDER'] ?? process.cwd(),
): string[] {
  return stack.split('\n').flatMap((line) => {
    const [, written = '', number = ''] = FRAME.exec(line.trim()) ?? []
    // Vite appends a query to the path.
    const [file = ''] = (written.startsWith('file://') ? fileURLToPath(written) : written).split('?', 1)
    const isOwn = file.startsWith(folder + path.sep) && !DEPENDENCY.test(file)
    return isOwn ? [`${file.slice(folder.length + 1)}:${number}`] : []
  })
}

/** Returns the frames of the current stack that are in files of the project. */
export function framesHere(): string[] {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const { stack = '' } = new Error('stack')
  Error.stackTraceLimit = stackTraceLimit
  return ownFrames(stack)
}
