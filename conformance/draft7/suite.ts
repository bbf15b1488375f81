import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** One value with the verdict that the specification asks for. */
export interface SuiteTest {
  readonly description: string
  readonly data: unknown
  readonly valid: boolean
}

/** One schema with its values. */
export interface SuiteGroup {
  readonly file: string
  readonly description: string
  readonly schema: unknown
  readonly tests: readonly SuiteTest[]
}

const SUITE = join(import.meta.dirname, 'suite')

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function isGroup(value: unknown): value is Omit<SuiteGroup, 'file'> {
  return typeof value === 'object' && value !== null && 'schema' in value && 'tests' in value
}

/** All groups of the tests in a folder, in order; by default the required tests of draft-07. */
export function readGroups(folder: string = join(SUITE, 'tests', 'draft7')): SuiteGroup[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .flatMap((file) => {
      const groups: unknown = readJson(join(folder, file))
      if (!Array.isArray(groups)) throw new Error(`${file} holds no list of groups`)
      return groups.filter(isGroup).map((group) => ({ ...group, file: file.replace('.json', '') }))
    })
}

/** The schemas that tests refer to by URL. */
export function readRemotes(
  folder: string = join(SUITE, 'remotes'),
  isWanted: (path: string) => boolean = () => true,
): Record<string, unknown>[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json') && isWanted(path))
    .map((path) => {
      const remote = readJson(join(folder, path))
      const url = `http://localhost:1234/${relative('.', path).replaceAll('\\', '/')}`
      return typeof remote === 'object' && remote !== null ? { $id: url, ...remote } : {}
    })
}
