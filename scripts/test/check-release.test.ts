import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { faultsOfRelease } from '../check-release.mjs'

const MANIFEST = {
  name: 'one',
  version: '1.2.3',
  license: 'MIT',
  repository: { directory: 'packages/one' },
  files: ['dist'],
}

let root: string
const put = (file: string, content: unknown) => {
  mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
  writeFileSync(path.join(root, file), typeof content === 'string' ? content : JSON.stringify(content))
}

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'release-'))
  put('.changeset/config.json', { fixed: [['one']] })
  put('.changeset/README.md', '')
  put('packages/one/package.json', MANIFEST)
  put('packages/one/README.md', '')
  put('packages/alias/package.json', { ...MANIFEST, name: 'alias', private: true, version: '0.0.0' })
  put('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-12-01\n\n- one\n')
})
afterEach(() => rmSync(root, { recursive: true }))

describe('a release', () => {
  it('is ready when the tag, the versions, the changelog and the manifests agree', () => {
    expect(faultsOfRelease(root, 'v1.2.3')).toEqual([])
  })

  it.each([
    ['another version', () => put('packages/one/package.json', { ...MANIFEST, version: '1.2.2' }), /1\.2\.2/],
    ['no licence', () => put('packages/one/package.json', { ...MANIFEST, license: undefined }), /license/],
    [
      'no list of files',
      () => put('packages/one/package.json', { ...MANIFEST, files: undefined }),
      /"files"/,
    ],
    ['no place', () => put('packages/one/package.json', { ...MANIFEST, repository: {} }), /provenance/],
    ['no page', () => rmSync(path.join(root, 'packages/one/README.md')), /no README\.md/],
    ['a changeset', () => put('.changeset/new.md', '---\n---\n'), /1 changesets are not used/],
    ['no heading', () => put('CHANGELOG.md', '# Changelog\n\n## Unreleased\n'), /no heading/],
    [
      'entries without a version',
      () => put('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n### Added\n\n## 1.2.3 - 2026-12-01\n'),
      /under 'Unreleased'/,
    ],
  ])('with %s is refused', (_name, spoil, message) => {
    spoil()
    expect(faultsOfRelease(root, 'v1.2.3')).toEqual([expect.stringMatching(message)])
  })

  it('needs a tag with a whole version', () => {
    expect(faultsOfRelease(root, '1.2')).toEqual([expect.stringContaining('v1.2.3')])
  })
})
