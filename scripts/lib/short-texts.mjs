// Shortens what the build for workers says about mistakes of an app: the name of the error with its details. The feature
// `texts` has the full messages, which it reads in the catalogue as it is.
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
      const texts = textsIn(/** @type {Syntax} */ (/** @type {unknown} */ (this.parse(code))))
      if (texts.length === 0)
        throw new Error(`${id}: no error is a mistake of the app; has the table other fields now?`)
      let kept = code
      for (const { start, end, text } of texts.toReversed())
        kept = kept.slice(0, start) + text + kept.slice(end)
      return kept
    },
  }
}

/**
 * The rows of mistakes of an app, and their new texts.
 * @param {Syntax} node @returns {{ start: number, end: number, text: string }[]}
 */
function textsIn(node) {
  const { type, key, value } = node
  if (type !== 'Property' || !isSyntax(value) || value.type !== 'ObjectExpression')
    return childrenOf(node).flatMap(textsIn)
  const fields = new Map(childrenOf(value).map((one) => [nameOf(one['key']), one['value']]))
  const fault = fields.get('fault')
  if (!isSyntax(fault)) return childrenOf(node).flatMap(textsIn)
  if (fault['value'] !== 'app') return []
  const [status, message] = [fields.get('status'), fields.get('message')]
  if (!isSyntax(status) || !isSyntax(message)) return []
  const text = JSON.stringify(shortened(nameOf(key), String(message['value'])))
  return [
    {
      start: value.start,
      end: value.end,
      text: `{ status: ${String(status['value'])}, fault: 'app', message: ${text} }`,
    },
  ]
}

/** What only bundles for workers say, and say what to do. */
const KEPT = new Set(['FEATURE_MISSING', 'RAW_UNAVAILABLE', 'TRANSPORT_UNSUPPORTED'])

/** @param {string} name @param {string} message */
function shortened(name, message) {
  if (KEPT.has(name)) return message
  const details = [...new Set(message.match(/\{\w+\}/g))]
  const short = `${name.toLowerCase().replaceAll('_', ' ')}${details.length === 0 ? '' : `: ${details.join(', ')}`}`
  return short.length < message.length ? short : message
}
