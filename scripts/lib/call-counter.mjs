// Counts the JavaScript function calls between two moments with V8's precise coverage: exact numbers, the same in
// every run, unlike those of a sampling profiler.
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} FileCalls
 * @property {string} file absolute path; `GENERATED` for code made at run time
 * @property {number} calls
 * @property {readonly { name: string, calls: number }[]} functions
 */

/** The file name of code that was generated at run time. */
export const GENERATED = '(generated)'

/** Counts calls from `start` to each `take`. */
export class CallCounter {
  #session = new Session()

  /** Starts counting. V8 does not inline code compiled afterwards, so that each call is counted. */
  async start() {
    this.#session.connect()
    await this.#session.post('Profiler.enable')
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  }

  /** Returns the calls since the last `take`, by file.
   * @returns {Promise<FileCalls[]>} */
  async take() {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage')
    /** @type {FileCalls[]} */
    const files = []
    for (const script of result) {
      const file = script.url === '' ? GENERATED : script.url
      if (file === import.meta.url) continue
      if (file !== GENERATED && !file.startsWith('file:')) continue
      const functions = script.functions
        .map(({ functionName, ranges }) => ({
          name: functionName || '(anonymous)',
          calls: ranges[0]?.count ?? 0,
        }))
        .filter(({ calls }) => calls > 0)
      if (functions.length === 0) continue
      const calls = functions.reduce((sum, { calls: count }) => sum + count, 0)
      files.push({ file: file === GENERATED ? file : fileURLToPath(file), calls, functions })
    }
    return files
  }

  async stop() {
    await this.#session.post('Profiler.stopPreciseCoverage')
    this.#session.disconnect()
  }
}

/** Sums up calls. @param {readonly FileCalls[]} files */
export function totalOf(files) {
  return {
    files: new Set(files.map(({ file }) => file)).size,
    calls: files.reduce((sum, { calls }) => sum + calls, 0),
  }
}
