import { pathToFileURL } from 'node:url'

import { isObject, objectOf } from '../../diff/json.ts'
import { workerModule } from '../own-modules.ts'
import type { Reading, Texts } from './shrink.ts'

/** Leaves out which values the options take that an app does not name. A start that gives one is an error. */
export async function withoutOptions({ graph, foreign }: Reading, texts: Texts): Promise<Texts> {
  const file = workerModule(graph.modules.keys(), 'sealed/option-data.js')
  if (file === undefined) return texts
  const data: unknown = await import(pathToFileURL(file).href)
  const kept = Object.entries(objectOf(data)).map(([name, value]) => {
    const written = name === 'OPTION_DATA' ? namedIn(value, foreign.words) : value
    return `export const ${name} = ${JSON.stringify(written)};`
  })
  return new Map([...texts, [file, kept.join('\n')]])
}

function namedIn(options: unknown, words: ReadonlySet<string>): unknown {
  const rows = Object.entries(objectOf(options)).map(([name, row]): [string, unknown] => {
    if (words.has(name) || !isObject(row)) return [name, row]
    const { types: _types, words: _words, read: _read, ...rest } = row
    return [name, rest]
  })
  return Object.fromEntries(rows)
}
