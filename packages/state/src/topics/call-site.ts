/** `at declare (file:///app/topics.js:3:14)`, with or without a name and a scheme. */
const FRAME = /(?:\(|at )(?:file:\/\/)?([^(]+):(\d+):\d+\)?$/

/** Returns `file:line` of the code that has called a function; `undefined` if the platform does not say it. */
export function callSiteOf(called: (...args: never[]) => unknown): string | undefined {
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, called)
  const [, file, line] = FRAME.exec(holder.stack?.split('\n')[1] ?? '') ?? []
  return file === undefined ? undefined : `${file}:${line}`
}
