// Writes a generated file; with `--check`, only reports whether it is up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** @param {string} file @param {string} text @param {string} table what it is generated from */
export function keepWritten(file, text, table) {
  const at = path.join(process.cwd(), file)
  if (existsSync(at) && readFileSync(at, 'utf8') === text) console.log(`${file} is up to date.`)
  else if (process.argv.includes('--check')) {
    console.log(`${file} is not what ${table} gives`)
    process.exitCode = 1
  } else {
    writeFileSync(at, text)
    console.log(`${file} is written from ${table}.`)
  }
}
