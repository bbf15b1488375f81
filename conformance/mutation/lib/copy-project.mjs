// Stryker writes mutants into the sources: it gets a copy of the project, with the installed packages linked.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Copies what git knows or would add, and gives the new folder. @param {string} repository @returns {string} */
export function copyProject(repository) {
  const folder = mkdtempSync(path.join(tmpdir(), 'cloister-mutation-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  for (const name of listed.split('\0')) {
    const from = path.join(repository, name)
    if (name !== '' && existsSync(from)) cpSync(from, path.join(folder, name))
  }
  linkPackages(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'))
  for (const name of readdirSync(path.join(repository, 'packages'))) {
    const own = path.join('packages', name, 'node_modules')
    if (existsSync(path.join(repository, own)))
      symlinkSync(path.join(repository, own), path.join(folder, own))
  }
  return folder
}

/**
 * Links what is installed. Links of the workspace are relative, so a copy of them leads to the copied packages.
 *
 * @param {string} from
 * @param {string} to
 */
function linkPackages(from, to) {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    const installed = path.join(from, name)
    if (name === '@cloister') linkPackages(installed, path.join(to, name))
    else if (lstatSync(installed).isSymbolicLink()) symlinkSync(readlinkSync(installed), path.join(to, name))
    else if (name !== '.cache') symlinkSync(installed, path.join(to, name))
  }
}
