import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))
const FRAME = /\(?((?:file:\/\/)?[^()\s]+):(\d+):(\d+)\)?$/
const FRAMES_KEPT = 12

/**
 * Where in the user's code something was registered. Taking one costs a microsecond; the stack is only turned into
 * text when an error asks for it.
 */
export class Place {
  readonly #holder: { stack?: string } = {}

  /** @param below - the function whose caller is the user's code */
  constructor(below: (...args: never[]) => unknown) {
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = FRAMES_KEPT
    Error.captureStackTrace(this.#holder, below)
    Error.stackTraceLimit = limit
  }

  /** `file:line` of the nearest frame outside of the framework and of Node, or `an unknown place`. */
  toString(): string {
    for (const line of (this.#holder.stack ?? '').split('\n').slice(1)) {
      const frame = FRAME.exec(line.trim())
      if (frame?.[1] === undefined || frame[1].startsWith('node:')) continue
      const file = frame[1].startsWith('file://') ? fileURLToPath(frame[1]) : frame[1]
      if (!file.startsWith(HERE)) return `${file}:${frame[2]}`
    }
    return 'an unknown place'
  }
}
