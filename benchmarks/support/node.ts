import { execFileSync } from 'node:child_process'

/** The version of a node binary that was given with `--node`, such as `v22.23.3`. */
export function nodeVersion(path: string): string {
  const version = readVersion(path)
  if (/^v\d+\./.test(version)) return version
  throw new Error(`--node ${path} is not a node binary; give the path of one, such as /usr/local/bin/node`)
}

function readVersion(path: string): string {
  try {
    return execFileSync(path, ['--version'], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}
