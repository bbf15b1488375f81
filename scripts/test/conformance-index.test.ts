// conformance/README.md lists for each behaviour the suite that tests it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { trackedFiles } from '../lib/files.mjs'
import { repository } from '../lib/run.mjs'

/** Suites about one published package each, which their folder names. */
const BY_PACKAGE = /^conformance\/(browser|integrations|packaging|plugins)\//

it('every suite has a row in conformance/README.md, and one row alone', () => {
  const page = readFileSync(path.join(repository, 'conformance/README.md'), 'utf8')
  const named = [...page.matchAll(/\]\(([\w./-]+\.test\.ts)\)/g)].map(([, file]) => `conformance/${file}`)
  const suites = trackedFiles(repository).filter(
    (file) => /^conformance\/.*\.test\.ts$/.test(file) && !BY_PACKAGE.test(file),
  )
  expect(suites.length).toBeGreaterThan(80)
  expect(named.toSorted()).toEqual(suites.toSorted())
})
