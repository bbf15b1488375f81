import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

// `/app/a.js:1:2`, or for evaluated code: `… at load (/app/a.js:1:2), <anonymous>:3:4`. Paths may contain spaces.
const PLACE = /^(?:\w+ at .*, )?(.+):(\d+):\d+$/
/** Where the place begins in a frame with a function name: names of methods may contain parentheses, too. */
const BEFORE_PLACE = / \((?=\/|file:|node:|eval at |[A-Za-z]:[\\/])/
const FRAMES_KEPT = 12
const UNKNOWN = 'an unknown file'

/**
 * Packages between the framework and the user's code, as they are installed and beside the sources: the engine calls the
 * framework for a request, `app.ws` defines routes, the alias, which is installed as `fastify`, makes apps, and the command
 * starts them.
 */
const BETWEEN = /[/\\](?:@cloister[/\\](?:wire|websocket|fastify|cli)|node_modules[/\\]fastify[/\\]dist)[/\\]/

/** The files of the framework and of the packages between, which are found out when a stack is first read. */
class OwnFiles {
  #folders: readonly string[] | null = null

  has(file: string): boolean {
    return (this.#folders ??= ownFolders()).some((folder) => file.startsWith(folder)) || BETWEEN.test(file)
  }
}

const OURS = new OwnFiles()

/** Returns the folders as stack frames name them. This works in ES modules, in CommonJS and in bundles. */
function ownFolders(): string[] {
  const here = dirname(framesOf(takeStack(takeStack)).next().value?.file ?? UNKNOWN)
  const beside = ['wire', 'websocket', 'fastify']
  return [here, ...beside.map((name) => here.replace(/cloister([/\\](?:src|dist)\b.*)$/, `${name}$1`))]
}

export interface LoadingPlugin {
  readonly name: string
  /** `root > api > users` */
  readonly path: string
  /** `file:line` of its registration */
  readonly registeredAt: string
}

/**
 * Explains why one line of a plugin has added something twice: the plugin is registered twice. Returns the text for the
 * end of a message; it is empty if two lines, or one load of a plugin, have added it.
 */
export function twiceRegistered(first: CallSite | null, again: CallSite | null): string {
  const [one, two] = [first?.plugin ?? null, again?.plugin ?? null]
  if (one === null || two === null || one === two || one.name !== two.name) return ''
  if (first?.toString() !== again?.toString()) return ''
  return `; the plugin '${two.name}' is registered twice, at ${one.registeredAt} and at ${two.registeredAt}: register it once, or with other options`
}

/**
 * The place in the user's code that registered something, and the plugin that was loading then. Taking one costs a
 * microsecond; the stack is only formatted when an error or a description needs it.
 */
export class CallSite {
  readonly plugin: LoadingPlugin | null
  readonly #holder: StackHolder = {}

  /** @param below - the function whose caller is the user's code */
  constructor(below: (...args: never[]) => unknown, plugin: LoadingPlugin | null = null) {
    this.plugin = plugin
    takeStack(below, this.#holder)
  }

  /** Returns `file:line` of the nearest frame outside the framework and Node, or `an unknown file`. */
  toString(): string {
    // If one bundle contains both the framework and the application, use the direct caller.
    return (this.#holder.text ??= userFrameIn(this.#holder) ?? placeOf(framesOf(this.#holder).next().value))
  }
}

/**
 * Returns `file:line` of the nearest frame outside the framework, starting below a function; `null` if there is none.
 */
export function userFrame(below: (...args: never[]) => unknown): string | null {
  return userFrameIn(takeStack(below))
}

const OF_PACKAGE = /[/\\]node_modules[/\\]/

/** Whether the code of an installed package has made the call. */
export function isOfPackage(callSite: CallSite): boolean {
  return OF_PACKAGE.test(callSite.toString())
}

function userFrameIn(holder: StackHolder): string | null {
  for (const frame of framesOf(holder)) if (!OURS.has(frame.file)) return placeOf(frame)
  return null
}

function takeStack(below: (...args: never[]) => unknown, holder: StackHolder = {}): StackHolder {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES_KEPT
  Error.captureStackTrace(holder, below)
  Error.stackTraceLimit = limit
  return holder
}

function placeOf(frame: Frame | undefined): string {
  return frame === undefined ? UNKNOWN : `${frame.file}:${frame.line}`
}

/** `stack` is formatted by V8 when it is first read; `text` caches the place found in it. */
interface StackHolder {
  stack?: string
  text?: string
}

interface Frame {
  readonly file: string
  readonly line: string
}

function locationOf(frame: string): string {
  if (!frame.endsWith(')')) return frame.replace(/^at (?:async )?/, '')
  const at = frame.search(BEFORE_PLACE)
  return frame.slice((at < 0 ? frame.indexOf(' (') : at) + 2, -1)
}

/** Yields the frames that name a file. It reads them one by one, because the first is usually the one needed. */
function* framesOf({ stack = '' }: StackHolder): Generator<Frame, undefined> {
  for (const text of stack.split('\n').slice(1)) {
    const [, file, line] = PLACE.exec(locationOf(text.trim())) ?? []
    if (file === undefined || line === undefined || file.startsWith('node:')) continue
    yield { file: file.startsWith('file://') ? fileURLToPath(file) : file, line }
  }
  return undefined
}
