// Writes the script and the style of the explorer's page into a module, so that the package only contains code. With
// `--check`, only reports whether that module is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { repository } from './lib/run.mjs'

const folder = path.join(repository, 'packages/explorer')
const target = path.join(folder, 'src/page.generated.ts')

const build = await rolldown({
  input: path.join(folder, 'page/main.ts'),
  platform: 'browser',
  logLevel: 'warn',
})
const { output } = await build.generate({ format: 'esm', minify: true })
await build.close()
const [script] = output
const style = readFileSync(path.join(folder, 'page/page.css'), 'utf8').replaceAll(/\s*\n\s*/g, '')

const text = `// Written by scripts/explorer-page.mjs from packages/explorer/page.

/** The script of the page. */
export const SCRIPT: string = ${literal(script.code.trim())}

/** The style of the page. */
export const STYLE: string = ${literal(style)}
`

const isFresh = text === readFileSync(target, { encoding: 'utf8', flag: 'a+' })
if (process.argv.includes('--check')) {
  console.log(isFresh ? 'The page of the explorer is up to date.' : 'Run node scripts/explorer-page.mjs')
  if (!isFresh) process.exitCode = 1
} else if (!isFresh) writeFileSync(target, text)

/** Returns a string literal for an HTML element; nothing in it may end the element. @param {string} value */
function literal(value) {
  if (/<\/(?:script|style)|<!--/i.test(value))
    throw new Error('the page would end within its script or style')
  return JSON.stringify(value)
}
