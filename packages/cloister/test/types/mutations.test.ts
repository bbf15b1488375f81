import { rm } from 'node:fs/promises'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { mutations } from './mutations.ts'
import { compile } from './compile.ts'
import { loosen } from './loosen.ts'

/** The sound types, with the sources that use them, need a million. Instantiations do not depend on the machine. */
const MAX_INSTANTIATIONS = 1_500_000

describe('a type that is loosened', () => {
  it.concurrent.each(
    mutations.map((mutation, index) => ({ mutation, name: titleOf(mutation), folder: String(index) })),
  )('is seen by the type tests: $name', async ({ mutation, folder }) => {
    const project = await loosen(mutation, folder)
    const { problems, output } = await compile(project, '--extendedDiagnostics')
    expect(Number(/^Instantiations: +(\d+)/m.exec(output)?.[1])).toBeLessThan(MAX_INSTANTIATIONS)
    const seen = mutation.seenBy.length > 0 ? /\.test-d\.ts\(/ : /error TS2416|error TS2420/
    expect(problems.filter((line) => seen.test(line))).not.toEqual([])
    await rm(path.dirname(project), { recursive: true })
  })
})

function titleOf({ file, target, by }: (typeof mutations)[number]): string {
  const what = 'alias' in target ? target.alias : target.text.split('\n')[0]
  return `${file}, ${what} as ${by.split('\n')[0]}`
}
