// The files that belong to the repository.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/**
 * Returns the paths, from the root, of all files that are committed or that `git add` would add.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function trackedFiles(root) {
  const listing = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const names = new Set(listing.split('\0').filter(Boolean))
  return [...names].filter((name) => existsSync(path.join(root, name))).sort()
}
