import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const FRAME = /\(?((?:file:\/\/)?[^()\s]+):(\d+):(\d+)\)?$/
const FRAMES_KEPT = 12
const UNKNOWN = 'an unknown file'

/** The folder of the framework, as stacks name it: what holds in modules, in CommonJS and in bundles. */
const HERE = dirname(framesOf(takeStack(takeStack))[0]?.file ?? UNKNOWN)

/**
 * Where in the user's code something was registered. Taking one costs a microsecond; the stack is only turned into
 * text when an error asks for it.
 */
export class CallSite {
  readonly #holder: { stack?: string } = {}

  /** @param below - the function whose caller is the user's code */
  constructor(below: (...args: never[]) => unknown) {
    takeStack(below, this.#holder)
  }

  /** `file:line` of the nearest frame outside of the framework and of Node, or `an unknown file`. */
  toString(): string {
    const frames = framesOf(this.#holder)
    // Where one file holds the framework and the application, the caller is the best that is known.
    const found = frames.find(({ file }) => !file.startsWith(HERE)) ?? frames[0]
    return found === undefined ? UNKNOWN : `${found.file}:${found.line}`
  }
}

function takeStack(
  below: (...args: never[]) => unknown,
  holder: { stack?: string } = {},
): { stack?: string } {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES_KEPT
  Error.captureStackTrace(holder, below)
  Error.stackTraceLimit = limit
  return holder
}

/** The frames of a stack that are in files. */
function framesOf({ stack = '' }: { stack?: string }): { readonly file: string; readonly line: string }[] {
  return stack
    .split('\n')
    .slice(1)
    .flatMap((text) => {
      const [, file, line] = FRAME.exec(text.trim()) ?? []
      if (file === undefined || line === undefined || file.startsWith('node:')) return []
      return [{ file: file.startsWith('file://') ? fileURLToPath(file) : file, line }]
    })
}
