// Which blocks of a module were reached, as V8 counts them.
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { pathToFileURL } from 'node:url'

/** @typedef {import('node:inspector').Profiler.TakePreciseCoverageReturnType} Taken */

/** The blocks of one module. Create it before the module is loaded: V8 only counts code compiled afterwards. */
export class BlockCoverage {
  /** characters that have run */
  #seen = new Uint8Array(0)
  #session = new Session()
  #url = ''
  #text = ''
  /** names of the ranges with a count above 0 */
  blocks = new Set()

  constructor() {
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  /** @param {string} file the module whose blocks count */
  watch(file) {
    this.#url = pathToFileURL(file).href
    this.#text = readFileSync(file, 'utf8')
    this.#seen = new Uint8Array(this.#text.length)
    this.add(this.take())
  }

  /** Returns what has run since the last call: 1 for each character. @returns {Uint8Array} */
  take() {
    const hit = new Uint8Array(this.#seen.length)
    this.#session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error !== null) throw error
      const script = taken.result.find(({ url }) => url === this.#url)
      for (const { ranges } of script?.functions ?? []) {
        for (const { startOffset, endOffset, count } of ranges) {
          hit.fill(count > 0 ? 1 : 0, startOffset, endOffset)
          if (count > 0 && this.#seen[startOffset] === 0) this.blocks.add(`${startOffset}-${endOffset}`)
        }
      }
    })
    return hit
  }

  /** Whether anything has run that never ran before. @param {Uint8Array} hit */
  isNew(hit) {
    return hit.some((one, index) => one === 1 && this.#seen[index] === 0)
  }

  /** @param {Uint8Array} hit */
  add(hit) {
    for (const [index, one] of hit.entries()) if (one === 1) this.#seen[index] = 1
  }

  /** The pieces of code that have never run. @returns {string[]} */
  get missing() {
    const pieces = []
    for (let at = this.#seen.indexOf(0); at !== -1;) {
      const end = this.#seen.indexOf(1, at)
      const piece = this.#text.slice(at, end === -1 ? undefined : end).trim()
      // V8 counts comments, and text between functions, with the code around them.
      if (/\w/.test(piece.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, ''))) pieces.push(piece)
      at = end === -1 ? -1 : this.#seen.indexOf(0, end)
    }
    return pieces
  }
}
