// Finds the TypeScript and JavaScript code blocks of Markdown files and of TSDoc `@example` tags.

/**
 * @typedef {object} CodeBlock
 * @property {string} file path from the root, with forward slashes
 * @property {number} line line of the first line of code, from 1
 * @property {'ts' | 'js'} language
 * @property {'check' | 'run' | 'fragment'} mode how it is checked; the default is `check`
 * @property {string} code
 */

const LANGUAGES = new Map([
  ['ts', 'ts'],
  ['typescript', 'ts'],
  ['js', 'js'],
  ['javascript', 'js'],
  ['mjs', 'js'],
])
const MODES = ['check', 'run', 'fragment']

/** Reads the word after the language.
 * @param {string} file @param {number} line @param {string[]} words */
function modeOf(file, line, words) {
  const unknown = words.find((word) => !MODES.includes(word))
  if (unknown !== undefined || words.length > 1) {
    throw new Error(
      `${file}:${line} a code block is marked "${words.join(' ')}"; the marks are ${MODES.join(', ')}`,
    )
  }
  return /** @type {CodeBlock['mode']} */ (words[0] ?? 'check')
}

/**
 * Returns the blocks of a Markdown text.
 *
 * @param {string} file name for the blocks
 * @param {string} text
 * @returns {CodeBlock[]}
 */
export function blocksOfMarkdown(file, text) {
  /** @type {CodeBlock[]} */
  const blocks = []
  const lines = text.split('\n')
  for (let index = 0; index < lines.length; index++) {
    const fence = /^(\s*)(`{3,})([\w-]*)\s*(.*)$/.exec(lines[index] ?? '')
    if (fence === null) continue
    const [, indent = '', ticks = '', name = '', rest = ''] = fence
    const first = index + 1
    while (++index < lines.length && !(lines[index] ?? '').trim().startsWith(ticks));
    const language = LANGUAGES.get(name)
    if (language === undefined) continue
    const mode = modeOf(file, first, rest.split(/\s+/).filter(Boolean))
    const code = lines.slice(first, index).map((line) => line.slice(indent.length))
    blocks.push({
      file,
      line: first + 1,
      language: language === 'ts' ? 'ts' : 'js',
      mode,
      code: code.join('\n'),
    })
  }
  return blocks
}

// What the example of a member omits, in one line, so that line numbers do not change.
const IMPORTS = "import http from 'node:http'; import { cloister } from 'cloister'; "
const APP = 'const app = cloister(); '

/**
 * Turns the example of a member into a module: a hover text only shows the call, without imports and app.
 *
 * @param {string} code
 */
function asModule(code) {
  if (/^import /m.test(code) || !/\b(?:app|cloister)\b/.test(code)) return code
  return `${IMPORTS}${/\bapp\b/.test(code) ? APP : ''}${code}`
}

/**
 * Returns the blocks in the doc comments of a TypeScript source. Those without imports get the package and an app.
 *
 * @param {string} file name for the blocks
 * @param {string} text
 * @returns {CodeBlock[]}
 */
export function blocksOfSource(file, text) {
  /** @type {CodeBlock[]} */
  const blocks = []
  for (const comment of text.matchAll(/\/\*\*[\s\S]*?\*\//g)) {
    const before = text.slice(0, comment.index).split('\n').length - 1
    const bare = comment[0].split('\n').map((line) => line.replace(/^\s*(\/\*\*|\*\/|\* ?)/, ''))
    for (const block of blocksOfMarkdown(file, bare.join('\n'))) {
      blocks.push({ ...block, line: block.line + before, code: asModule(block.code) })
    }
  }
  return blocks
}
