// Shortens what the build for workers says about mistakes of an app: the name of the error with its details, which
// `worker/short-rows.ts` writes. The feature `texts` has the full messages, which it reads in the catalogue as it is.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { childrenOf, isSyntax, nameOf } from './syntax.mjs'

/** @typedef {import('./syntax.mjs').Syntax} Syntax */

const TABLE = /[\\/]cloister[\\/]dist[\\/]error-table\.js$/
const FULL = /error-table\.full\.js$/

/** @returns {import('rolldown').Plugin} */
export function shortTexts() {
  return {
    name: 'short-texts',
    resolveId(id, importer) {
      if (importer === undefined || path.basename(importer) !== 'error-text.js') return null
      return id === './error-table.js' ? path.resolve(path.dirname(importer), 'error-table.full.js') : null
    },
    load(id) {
      return FULL.test(id) ? readFileSync(id.replace(FULL, 'error-table.js'), 'utf8') : null
    },
    transform(code, id) {
      if (!TABLE.test(id)) return null
      const rows = shortenedIn(/** @type {Syntax} */ (/** @type {unknown} */ (this.parse(code))))
      const short = rows.flatMap(({ text }) => (text === '' ? [] : [text]))
      if (short.length === 0)
        throw new Error(`${id}: no error is a mistake of the app; has the table other fields now?`)
      let kept = code
      for (const { start, end } of rows.toReversed())
        kept = kept.slice(0, start) + kept.slice(end).replace(/^\s*,/, '')
      const all = `...shortRows(${JSON.stringify(short.join(';'))}),`
      return `import { shortRows } from './worker/short-rows.js'\n${kept.replace('errorTable = {', `$&${all}`)}`
    },
  }
}

/**
 * What is left out: rows that are mistakes of an app, each with its short form, and the help of others, which are said
 * without it.
 *
 * @param {Syntax} node @returns {{ start: number, end: number, text: string }[]}
 */
function shortenedIn(node) {
  const { type, key, value } = node
  if (type !== 'Property' || !isSyntax(value) || value.type !== 'ObjectExpression')
    return childrenOf(node).flatMap(shortenedIn)
  const rows = new Map(childrenOf(value).map((one) => [nameOf(one['key']), one]))
  const [fault, status, message] = ['fault', 'status', 'message'].map((name) => {
    const row = rows.get(name)?.['value']
    return isSyntax(row) ? row['value'] : undefined
  })
  if (fault === undefined) return childrenOf(node).flatMap(shortenedIn)
  const text = fault === 'app' && status === 500 ? shortened(nameOf(key), String(message)) : null
  if (text !== null) return [{ start: node.start, end: node.end, text }]
  const help = rows.get('help')
  return help === undefined || fault === 'app' ? [] : [{ start: help.start, end: help.end, text: '' }]
}

/** What only bundles for workers say, and say what to do. */
const KEPT = new Set(['BUILD_OUTDATED', 'FEATURE_MISSING', 'RAW_UNAVAILABLE', 'TRANSPORT_UNSUPPORTED'])

/**
 * The name and the details, as `shortRows` reads them; `null` for a message that is short already.
 *
 * @param {string} name @param {string} message
 */
function shortened(name, message) {
  const details = [...new Set(message.match(/\{\w+\}/g))].map((detail) => detail.slice(1, -1))
  const short = [name, ...details].join(' ')
  return KEPT.has(name) || message.length < short.length ? null : short
}
