import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { repository, run } from '../../../scripts/lib/run.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** The packed packages, as paths of their files. */
    tarballs: readonly string[]
  }
}

/** Vitest's global setup: packs the packages once. */
export default async function pack(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'packed-'))
  for (const name of readdirSync(path.join(repository, 'packages'))) {
    const { code, output } = await run(['npm', 'pack', '--pack-destination', folder], {
      cwd: path.join(repository, 'packages', name),
    })
    if (code !== 0) throw new Error(`packages/${name} cannot be packed:\n${output}`)
  }
  project.provide(
    'tarballs',
    readdirSync(folder).map((name) => path.join(folder, name)),
  )
  return () => rmSync(folder, { recursive: true, force: true })
}
