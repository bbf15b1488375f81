/** After this time, plugins have a deadline that has passed; the top level of a file has none. */
const SLOW_MS = 15_000

/**
 * Says that an app is slow to load, or has ended the process meanwhile. Then the exit code is 3: with the exit code of
 * the app, a check would pass that has not run.
 *
 * @returns a function that stops this
 */
export function watchLoading(file: string): () => void {
  const say = (what: string): void => void process.stderr.write(`cloister: the app of ${file} ${what}\n`)
  const report = (what: string): void => {
    stop()
    process.exitCode = 3
    say(what)
  }
  const seconds = SLOW_MS / 1000
  const timer = setTimeout(() => {
    say(`is not loaded after ${seconds} s: its file, an import or a hook still awaits something`)
  }, SLOW_MS).unref()
  // Node.js emits this event if nothing is left that could settle a promise, and not for process.exit().
  const hang = (): void => report('never loads: it, or a plugin, awaits a promise that nothing settles')
  const exit = (code: number): void =>
    report(
      `ended the process with the code ${code} while it was loaded, by process.exit() or an uncaught error`,
    )
  const stop = (): void => {
    clearTimeout(timer)
    process.off('beforeExit', hang)
    process.off('exit', exit)
  }
  process.on('beforeExit', hang)
  process.on('exit', exit)
  return stop
}
