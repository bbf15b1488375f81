// node benchmarks/types/check-editors.mjs   after `npm run build` and `npm ci --prefix benchmarks/types`
//
// What an editor says while one types, with the published declarations, on the language tooling of two compilers.

import { fileURLToPath } from 'node:url'
import { openLanguageServer } from './editor/language-server.mjs'
import { openLanguageService } from './editor/language-service.mjs'
import { look } from './editor/look.mjs'
import { compilerOptions } from './measure.mjs'
import { places } from './editor/places.mjs'

/** @param {string} path */
const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const file = here('dist/editor/place.mts')

const editors = {
  'TypeScript 7.0': await openLanguageServer(here('node_modules/typescript/bin/tsc'), file, compilerOptions),
  'TypeScript 5.9': openLanguageService(here('node_modules/typescript59'), file, compilerOptions),
}

for (const [name, editor] of Object.entries(editors)) {
  let wrong = 0
  for (const place of places) {
    const problem = await look(editor, place)
    if (problem === '') continue
    wrong++
    console.log(`${name}, ${place.name}: ${problem}`)
  }
  console.log(`${name} in an editor: right at ${places.length - wrong} of ${places.length} places`)
  if (wrong > 0) process.exitCode = 1
  await editor.close()
}
