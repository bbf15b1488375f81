import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Editor } from '../../../../benchmarks/types/editor/editor.mjs'
import { openLanguageServer } from '../../../../benchmarks/types/editor/language-server.mjs'
import { look, readMessage } from '../../../../benchmarks/types/editor/look.mjs'
import { mistakes } from '../../../../benchmarks/types/editor/mistakes.mjs'
import { places } from '../../../../benchmarks/types/editor/places.mjs'
import { compilerOptions } from '../../../../benchmarks/types/measure.mjs'

// The compiler of this repository. `benchmarks/types/check-editors.mjs` looks at the same places as users have
// them, with TypeScript 5.9 as well.
const fileBeside = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
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
  })
})
