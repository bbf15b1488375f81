import { readdirSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { build } from '../../../../scripts/lib/build.mjs'
import { repository, run } from '../../../../scripts/lib/run.mjs'

interface Outcome {
  readonly unlinked: Readonly<Record<string, readonly string[]>>
  readonly linked: Readonly<Record<string, readonly string[]>>
  readonly texts: { readonly short: string; readonly full: string }
}

let outcome: Outcome
beforeAll(async () => {
  await build()
  const script = path.join(import.meta.dirname, 'use-features.mjs')
  const { code, output } = await run([
    process.execPath,
    '--conditions=workerd',
    '--conditions=cloister-bare',
    '--conditions=cloister-lean',
    script,
  ])
  if (code !== 0) throw new Error(output)
  outcome = JSON.parse(output.trim().split('\n').at(-1) ?? '')
}, 300_000)

const FOLDER = path.join(repository, 'packages/cloister/src/features')
const FEATURES = readdirSync(FOLDER).map((file) => path.parse(file).name)
/** A bundle without the first has shorter messages; the second is imported by the entry that needs it; the others are lists. */
const OTHERS = ['texts', 'observers', 'all', 'core']

/** What an app without them is asked for first; their entries import that too. */
const NAMED: Readonly<Record<string, string>> = { int64: 'exact', logger: 'logs', report: 'libraries' }

describe('a feature in the build for workers', () => {
  it('has an app in this test', () => {
    expect([...Object.keys(outcome.unlinked), ...OTHERS].toSorted()).toEqual(FEATURES.toSorted())
  })

  it.each(FEATURES.filter((name) => !OTHERS.includes(name)))(
    'that is not imported fails the start of an app that needs it: %s',
    (feature) => {
      for (const result of outcome.unlinked[feature] ?? ['']) {
        expect(result).toContain(`import 'cloister/features/${NAMED[feature] ?? feature}'`)
      }
    },
  )

  it.each(FEATURES.filter((name) => !OTHERS.includes(name)))('that is imported works: %s', (feature) => {
    expect(new Set(outcome.linked[feature])).toEqual(new Set(['started']))
  })

  it('of the core is there without an import, except in what the command builds', async () => {
    const { code, output } = await run([
      process.execPath,
      '--conditions=workerd',
      '--conditions=cloister-lean',
      '--input-type=module',
      '--eval',
      `import { cloister } from 'cloister'
       const app = cloister()
       app.register(cloister.definePlugin({ plugin: (own) => { own.get('/', () => 'x') } }))
       await app.ready()`,
    ])
    expect(output).toBe('')
    expect(code).toBe(0)
  })

  it('with the texts of errors has these instead of short ones', () => {
    expect(outcome.texts).toEqual({
      short: 'rep already sent: /, GET',
      full: 'Reply was already sent, did you forget to "return reply" in "/" (GET)?',
    })
  })
})
