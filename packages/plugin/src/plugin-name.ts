/** The name of a plugin without a name whose file is unknown. */
const UNKNOWN = 'anonymous'

// JavaScript names `export default function () {}` "default", which says nothing about the plugin.
const EMPTY_NAMES: ReadonlySet<string> = new Set(['', 'default', UNKNOWN])

// The location in a stack frame: `at file:///app/users.ts:3:14` or `at load (C:\app\users.ts:3:14)`.
const FRAME_PLACE = /\s+at (?:.*\()?(?<path>[^()\s][^()]*):\d+:\d+\)?$/

/**
 * Derives a name for a plugin without one: the name of its function, or the file that wraps it. For an `index` file,
 * the name of its folder.
 *
 * @param fn - the plugin function
 * @param helper - the function whose caller is the file
 */
export function derivePluginName(
  fn: { readonly name: string },
  helper: (...args: never[]) => unknown,
): string {
  if (!EMPTY_NAMES.has(fn.name)) return fn.name
  const trace: { stack?: string } = {}
  Error.captureStackTrace(trace, helper)
  const frame = trace.stack?.split('\n').find((line) => line.trimStart().startsWith('at '))
  const path = frame === undefined ? undefined : FRAME_PLACE.exec(frame)?.groups?.['path']
  return path === undefined ? UNKNOWN : nameOfFile(path)
}

// Code without a file (`[eval]`, a REPL, a blob) has a path without a folder.
function nameOfFile(path: string): string {
  const parts = path.replace(/\?.*$/, '').split(/[\\/]/)
  if (parts.length === 1) return UNKNOWN
  const base = (parts.at(-1) ?? '').replace(/\.[^.]+$/, '')
  const name = base === 'index' ? (parts.at(-2) ?? base) : base
  return name === '' ? UNKNOWN : name
}
