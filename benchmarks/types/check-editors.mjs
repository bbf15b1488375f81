// node benchmarks/types/check-editors.mjs   after `npm run build` and `npm ci --prefix benchmarks/types`
//
// What an editor says while one types, with the published declarations, on the language tooling of two compilers.

import { fileURLToPath } from 'node:url'
import { openLanguageServer } from './editor/language-server.mjs'
import { openLanguageService } from './editor/language-service.mjs'
import { look, readMessage } from './editor/look.mjs'
import { mistakes } from './editor/mistakes.mjs'
import { places } from './editor/places.mjs'
import { compilerOptions } from './measure.mjs'

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const file = here('dist/editor/place.mts')

const editors = {
  'TypeScript 7.0': await openLanguageServer(here('node_modules/typescript'), file, compilerOptions),
  'TypeScript 5.9': openLanguageService(here('node_modules/typescript59'), file, compilerOptions),
}

for (const [name, editor] of Object.entries(editors)) {
  const asked = [
    ...places.map((place) => ({ name: place.name, ask: () => look(editor, place) })),
    ...mistakes.map((mistake) => ({ name: mistake.name, ask: () => readMessage(editor, mistake) })),
  ]
  let wrong = 0
  for (const question of asked) {
    const problem = await question.ask()
    if (problem === '') continue
    wrong++
    console.log(`${name}, ${question.name}: ${problem}`)
  }
  console.log(`${name} in an editor: right at ${asked.length - wrong} of ${asked.length} places`)
  if (wrong > 0) process.exitCode = 1
  await editor.close()
}
