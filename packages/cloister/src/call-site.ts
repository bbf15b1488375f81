import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

// `/app/a.js:1:2`, or code that was made of text: `… at load (/app/a.js:1:2), <anonymous>:3:4`. Folders may have spaces.
const PLACE = /^(?:\w+ at .*, )?(.+):(\d+):\d+$/
const FRAMES_KEPT = 12
const UNKNOWN = 'an unknown file'

/** The folder of the framework, as stacks name it: what holds in modules, in CommonJS and in bundles. */
const HERE = dirname(framesOf(takeStack(takeStack)).next().value?.file ?? UNKNOWN)

/** A plugin as a call site names it. */
export interface LoadingPlugin {
  /** `root > api > users` */
  readonly path: string
}

/**
 * Where in the user's code something was registered, and by which plugin. Taking one costs a microsecond; the stack is
 * only turned into text when an error or a description asks for it.
 */
export class CallSite {
  /** the plugin that was loading then */
  readonly plugin: LoadingPlugin | null
  readonly #holder: StackHolder = {}

  /** @param below - the function whose caller is the user's code */
  constructor(below: (...args: never[]) => unknown, plugin: LoadingPlugin | null = null) {
    this.plugin = plugin
    takeStack(below, this.#holder)
  }

  /** `file:line` of the nearest frame outside of the framework and of Node, or `an unknown file`. */
  toString(): string {
    return (this.#holder.text ??= this.#read())
  }

  #read(): string {
    // Where one file holds the framework and the application, the caller is the best that is known.
    const frame = userFrameIn(this.#holder) ?? framesOf(this.#holder).next().value
    return frame === undefined ? UNKNOWN : placeOf(frame)
  }
}

/** Returns `file:line` of the nearest frame below a function that is outside of the framework; `null` where there is none. */
export function userFrame(below: (...args: never[]) => unknown): string | null {
  const frame = userFrameIn(takeStack(below))
  return frame === undefined ? null : placeOf(frame)
}

function userFrameIn(holder: StackHolder): Frame | undefined {
  for (const frame of framesOf(holder)) if (!frame.file.startsWith(HERE)) return frame
  return undefined
}

function takeStack(below: (...args: never[]) => unknown, holder: StackHolder = {}): StackHolder {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES_KEPT
  Error.captureStackTrace(holder, below)
  Error.stackTraceLimit = limit
  return holder
}

function placeOf({ file, line }: Frame): string {
  return `${file}:${line}`
}

/** A stack, which V8 turns into text when it is read, and the place in it, when it was asked for. */
interface StackHolder {
  stack?: string
  text?: string
}

/** A line of a stack that is in a file. */
interface Frame {
  readonly file: string
  readonly line: string
}

/** The location in a frame: `at load (location)` or `at location`. */
function locationOf(frame: string): string {
  return frame.endsWith(')') ? frame.slice(frame.indexOf(' (') + 2, -1) : frame.replace(/^at (?:async )?/, '')
}

/** The frames of a stack that are in files; read one by one, because the first is mostly the one in question. */
function* framesOf({ stack = '' }: StackHolder): Generator<Frame, undefined> {
  for (const text of stack.split('\n').slice(1)) {
    const [, file, line] = PLACE.exec(locationOf(text.trim())) ?? []
    if (file === undefined || line === undefined || file.startsWith('node:')) continue
    yield { file: file.startsWith('file://') ? fileURLToPath(file) : file, line }
  }
  return undefined
}
