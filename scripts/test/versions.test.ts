// Packages published together have one version. The sources contain it too: a bundle has no manifest to read.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { INTERFACE_LEVELS } from '../../packages/cloister/src/boot/plugins/plugin.ts'
import { OWN_VERSION } from '../../packages/cloister/src/app/cloister-app.ts'
import { repository } from '../lib/run.mjs'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

function read(...names: string[]): Manifest {
  return JSON.parse(readFileSync(path.join(repository, ...names), 'utf8')) as Manifest
}

const packages = readdirSync(path.join(repository, 'packages')).map((name) => ({
  folder: name,
  manifest: read('packages', name, 'package.json'),
}))
const versions = new Map(packages.map(({ manifest: { name, version } }) => [name, version]))

describe('versions', () => {
  it('has the level of the 5.x interface as the version of the package for the name fastify', () => {
    expect(INTERFACE_LEVELS).toContain(versions.get('@cloister/fastify'))
    expect(versions.get('@cloister/fastify')).toMatch(/^5\./)
  })

  it('has the version of the framework in its sources as in its manifest', () => {
    expect(OWN_VERSION).toBe(versions.get('cloister'))
  })

  it.each(packages)('lets packages/$folder depend on the versions of this repository', ({ manifest }) => {
    for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
      if (versions.has(name)) expect(`${name}@${range}`).toBe(`${name}@${versions.get(name)}`)
    }
  })

  it('has the same versions in the lock file', () => {
    const lock = JSON.parse(readFileSync(path.join(repository, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, Manifest>>
    }
    for (const { folder, manifest } of packages) {
      const locked = lock.packages[`packages/${folder}`]
      expect([locked?.version, locked?.dependencies ?? {}]).toEqual([
        manifest.version,
        manifest.dependencies ?? {},
      ])
    }
  })
})
