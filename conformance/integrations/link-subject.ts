/**
 * Points `node_modules/fastify` of both lines at the subject before the suites run: what an application does with
 * `"overrides": { "fastify": "npm:cloister@…" }`. The package that npm installed under that name stays beside it,
 * so that the suites can be proven on the peers (`CLOISTER_SUBJECT=fastify4` or `fastify5`).
 */
import { existsSync, lstatSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { lines, subjectName } from './subject.ts'

const peerFolder = '.fastify-peer'

/** Vitest's global setup. */
export default function linkSubject(): void {
  for (const line of lines) {
    const modules = join(import.meta.dirname, `line-${line}`, 'node_modules')
    if (!existsSync(modules)) {
      throw new Error(`${modules} does not exist; run \`npm run test:integrations\`, which installs it first`)
    }
    const link = join(modules, 'fastify')
    if (existsSync(link) && !lstatSync(link).isSymbolicLink()) {
      rmSync(join(modules, peerFolder), { recursive: true, force: true })
      renameSync(link, join(modules, peerFolder))
    }
    rmSync(link, { force: true })
    const target =
      subjectName === 'cloister' ? resolve(import.meta.dirname, '../../packages/cloister') : peerFolder
    symlinkSync(target, link, 'dir')
  }
}
