import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Editor } from '../../../../benchmarks/types/editor/editor.mjs'
import { openLanguageServer } from '../../../../benchmarks/types/editor/language-server.mjs'
import { look, readMessage } from '../../../../benchmarks/types/editor/look.mjs'
import { mistakes } from '../../../../benchmarks/types/editor/mistakes.mjs'
import type { Mistake } from '../../../../benchmarks/types/editor/mistakes.mjs'
import { places } from '../../../../benchmarks/types/editor/places.mjs'
import { compilerOptions } from '../../../../benchmarks/types/measure.mjs'

// The compiler of this repository. `benchmarks/types/check-editors.mjs` looks at the same places as users have
// them, with TypeScript 5.9 as well.
const fileBeside = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const PAGE = fileBeside('../../../../docs/evidence/mistakes-by-compiler.md')
/** `CLOISTER_WRITE=1` writes the page; without it, the messages are compared with those of the page. */
const isWriting = process.env['CLOISTER_WRITE'] === '1'
const page = isWriting ? '' : readFileSync(PAGE, 'utf8')
const rows: string[] = []
const options = { customConditions: ['@cloister/source'], allowImportingTsExtensions: true }

describe('an editor', () => {
  let editor: Editor
  beforeAll(async () => {
    const compiler = fileBeside('../../../../node_modules/typescript')
    editor = await openLanguageServer(compiler, fileBeside('dist/editor/place.mts'), {
      ...compilerOptions,
      ...options,
    })
  })
  afterAll(() => editor.close())

  it.each(places)('has the right result while one types: $name', async (at) => {
    expect(await look(editor, at)).toBe('')
  })

  it.each(mistakes)('has a message that helps: $name', async (mistake) => {
    expect(await readMessage(editor, mistake)).toBe('')
    const row = rowOf(mistake, await editor.check())
    rows.push(row)
    if (!isWriting) expect(page).toContain(row)
  })

  afterAll(() => {
    if (isWriting) writeFileSync(PAGE, `${HEAD}${rows.join('\n')}\n`)
  })
})

/** The mistake, its code without imports, and the line of the message that helps. */
function rowOf({ name, text, says, within }: Mistake, [message = '']: readonly string[]): string {
  const code = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('import '))
    .join(' ')
  const lines = message.split('\n').slice(0, within)
  const line = lines.find((one) => says.test(one)) ?? lines.join(' ')
  return `| ${name} | ${cell(`\`${code}\``)} | ${cell(line.trim())} |`
}

/** A backslash before a vertical bar keeps it in its cell; outside of code, an angle bracket would begin an element. */
const cell = (text: string): string => {
  const escaped = text.replaceAll('|', '\\|')
  return text.startsWith('`') ? escaped : escaped.replaceAll('<', '&lt;').replaceAll('`', "'")
}

const HEAD = `# Mistakes that the compiler reports

This page shows how the TypeScript compiler reports ${mistakes.length} common mistakes, with the line of each message that helps. The compiler is that of this repository (TypeScript 7.0). \`npx vitest run --project types packages/cloister/test/types/editor.test.ts\` compares the page with the compiler, and writes it with \`CLOISTER_WRITE=1\`. Each mistake results in a single error, where it was made. Calling a method that does not exist is an error when the app starts: see [mistakes](mistakes.md).

| mistake | code | message |
|---|---|---|
`
