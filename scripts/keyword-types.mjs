// Writes the type of the words that schemas may have, from the vocabulary of `@cloister/schema` and the keywords of other
// tools. With `--check`, only reports whether it is up to date.
import path from 'node:path'
import { keepWritten } from './lib/keep-written.mjs'
import { loadSource } from './lib/load-source.mjs'

const source = 'packages/schema/src/document/vocabulary.ts'
/** Keywords of validators, and of other versions, that are similar to one of the vocabulary. */
const OTHERS = (
  '$async $data $merge $patch $recursiveAnchor $recursiveRef $vocabulary allRequired anyRequired errorMessage id ' +
  'instanceof isFile oneRequired patternRequired prohibited typeof uniqueItemProperties'
).split(' ')

const { VOCABULARY } = /** @type {{ VOCABULARY: readonly { readonly name: string }[] }} */ (
  await loadSource(path.join(process.cwd(), source))
)
const names = [...new Set([...VOCABULARY.map(({ name }) => name), ...OTHERS])].toSorted()
const text = `// Made by \`npm run docs:options\` from ${source}. Do not edit.

/** The keywords of JSON Schema, and those of validators and documents that are similar to one of them. */
export type Keyword =
${names.map((name) => `  | '${name}'\n`).join('')}`
keepWritten('packages/cloister/src/types/keyword.generated.ts', text, 'the vocabulary of schemas')
