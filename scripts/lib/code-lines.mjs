// The size of sources: lines of code, without comments and blank lines.
import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { typescriptFiles } from './modules.mjs'

/** Counts the lines of code in a file.
 * @param {string} file */
export function codeLinesOf(file) {
  const text = readFileSync(file, 'utf8')
  let code = text
  for (const { start, end } of parseSync(file, text).comments) {
    code = code.slice(0, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ') + code.slice(end)
  }
  return code.split('\n').filter((line) => line.trim() !== '').length
}

/** Counts code lines and files below a folder, without generated files.
 * @param {string} folder */
export function sizeOf(folder) {
  const files = typescriptFiles(folder).filter((file) => !file.endsWith('.generated.ts'))
  return { lines: files.reduce((sum, file) => sum + codeLinesOf(file), 0), files: files.length }
}
