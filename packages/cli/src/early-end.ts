/**
 * If the process ends while the app is loaded, says so and makes the exit code 3. With the exit code of the app, a
 * check would pass that has not run.
 *
 * @returns a function that stops this
 */
export function reportEarlyEnd(file: string): () => void {
  const report = (what: string): void => {
    stop()
    process.exitCode = 3
    process.stderr.write(`cloister: the app of ${file} ${what}\n`)
  }
  // Node.js emits this event if nothing is left that could settle a promise, and not for process.exit().
  const hang = (): void => report('never loads: it, or a plugin, awaits a promise that nothing settles')
  const exit = (code: number): void =>
    report(
      `ended the process with the code ${code} while it was loaded, by process.exit() or an uncaught error`,
    )
  const stop = (): void => {
    process.off('beforeExit', hang)
    process.off('exit', exit)
  }
  process.on('beforeExit', hang)
  process.on('exit', exit)
  return stop
}
