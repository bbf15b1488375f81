import { readdirSync } from 'node:fs'
import path from 'node:path'

/**
 * Returns the manifests of a workspace, by paths below its root. The patterns are those of npm, pnpm, Yarn and Bun:
 * `apps/*`, `packages/**`, `{a,b}/*`, and `!packages/old` for what does not belong to it.
 */
export function workspaceManifests(folder: string, patterns: readonly string[]): string[] {
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!')).map(manifestPattern)
  const unwanted = patterns
    .filter((pattern) => pattern.startsWith('!'))
    .map((pattern) => manifestPattern(pattern.slice(1)))
  if (wanted.length === 0) return []
  return manifestsBelow(folder, '').filter(
    (name) => wanted.some((one) => one.test(name)) && !unwanted.some((one) => one.test(name)),
  )
}

function manifestsBelow(folder: string, below: string): string[] {
  return readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(below, entry.name)
    if (entry.isDirectory())
      return entry.name === 'node_modules' || entry.name === '.git' ? [] : manifestsBelow(folder, name)
    return entry.name === 'package.json' && below !== '' ? [name] : []
  })
}

const TOKENS = /\*\*\/|\/\*\*(?=\/|$)|\*\*|[*?{},]|[^*?{},/]+|\//g
const MEANINGS: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '/**': '(?:/.*)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
  '{': '(?:',
  '}': ')',
  ',': '|',
}

/** Returns an expression for the manifests in the folders of a pattern. */
function manifestPattern(pattern: string): RegExp {
  const folders = path.posix.normalize(pattern).replace(/\/$/, '')
  const source = folders.replaceAll(
    TOKENS,
    (token) => MEANINGS[token] ?? token.replaceAll(/[\\^$.+()[\]|]/g, String.raw`\$&`),
  )
  return new RegExp(`^${source}/package\\.json$`)
}
