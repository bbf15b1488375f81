// `node scripts/check-release.mjs v1.2.3`: checks the repository against the tag; the first step of a release.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {{ name: string, version: string, private?: boolean, license?: string, repository?: { directory?: string }, files?: string[] }} Manifest */

/**
 * Returns what keeps `tag` from being published, each with what to do.
 *
 * @param {string} root folder of the repository
 * @param {string} tag such as `v1.2.3`
 * @returns {string[]} empty when everything is ready
 */
export function faultsOfRelease(root, tag) {
  const version = /^v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(tag)?.[1]
  if (version === undefined) return [`'${tag}' is no tag of a release; write v1.2.3`]
  const read = (/** @type {string} */ file) => readFileSync(path.join(root, file), 'utf8')
  /** @type {{ fixed: string[][] }} */
  const { fixed } = JSON.parse(read('.changeset/config.json'))
  const faults = []
  for (const folder of readdirSync(path.join(root, 'packages'))) {
    const file = `packages/${folder}/package.json`
    if (!existsSync(path.join(root, file))) continue
    /** @type {Manifest} */
    const manifest = JSON.parse(read(file))
    if (manifest.private === true) continue
    if (fixed.flat().includes(manifest.name) && manifest.version !== version)
      faults.push(`${file} has version ${manifest.version}; run npm run release:version, then tag`)
    if (manifest.license !== 'MIT') faults.push(`${file} has no "license": "MIT"`)
    if (manifest.repository?.directory !== `packages/${folder}`)
      faults.push(`${file} needs "repository" with "directory": provenance is checked against it`)
    if (manifest.files === undefined) faults.push(`${file} has no "files"; everything would be packed`)
    if (!existsSync(path.join(root, 'packages', folder, 'README.md')))
      faults.push(`packages/${folder} has no README.md, the page of the package on the registry`)
  }
  const notes = readdirSync(path.join(root, '.changeset')).filter((file) => /^(?!README).*\.md$/.test(file))
  if (notes.length > 0)
    faults.push(`${notes.length} changesets are not used yet; run npm run release:version`)
  const changelog = read('CHANGELOG.md')
  if (!changelog.includes(`\n## ${version}`))
    faults.push(`CHANGELOG.md has no heading '## ${version} - DATE'`)
  if (/\n## Unreleased\n\s*\n?(?!## )\S/.test(changelog))
    faults.push(`CHANGELOG.md has entries under 'Unreleased'; move them under '## ${version} - DATE'`)
  return faults
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = faultsOfRelease(path.resolve(import.meta.dirname, '..'), process.argv[2] ?? '')
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
