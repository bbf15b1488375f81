// The words of the project (CONTRIBUTING.md): comments and messages name the actor.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { trackedFiles } from '../lib/files.mjs'
import { repository } from '../lib/run.mjs'

const AVOIDED: readonly (readonly [RegExp, string])[] = [
  [
    /\b(somebody|nobody|whoever)\b/i,
    'name the actor: the client, the handler, the caller, the transport, Ajv',
  ],
  [/\b(is|are|was|were|be) told\b/i, 'say what it gets, or who calls it'],
  [/^\s*(\/\*\*|\*) Tells\b/, 'begin with the verb of what it returns, or "Whether"'],
]

const sources = trackedFiles(repository).filter((file) => /^packages\/[^/]+\/src\/.*\.ts$/.test(file))

it('are kept in the sources of the packages', () => {
  const faults = sources.flatMap((file) =>
    readFileSync(path.join(repository, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        AVOIDED.filter(([words]) => words.test(line)).map(
          ([, advice]) => `${file}:${index + 1} ${line.trim()} (${advice})`,
        ),
      ),
  )
  expect(faults).toEqual([])
})
