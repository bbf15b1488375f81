import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { repository } from '../lib/run.mjs'

interface Place {
  readonly file: string
  readonly name: string
}

/** What the test reads of a module: its declarations with their comments, and where other names come from. */
interface ModuleNames {
  /** declared name -> whether a doc comment stands before it */
  readonly declared: ReadonlyMap<string, boolean>
  /** local name -> where it is imported from */
  readonly imported: ReadonlyMap<string, Place>
  /** exported name -> local name or another module */
  readonly exported: ReadonlyMap<string, Place>
  /** modules that are re-exported whole */
  readonly whole: readonly string[]
}

const DECLARATION =
  /^(?:export )?(?:declare )?(?:abstract )?(?:async )?(?:const|function|class|interface|type) (\w+)/gm

function readModule(file: string): ModuleNames {
  const source = readFileSync(file, 'utf8')
  const { module } = parseSync(file, source)
  const at = (specifier: string): string =>
    specifier.startsWith('.') ? path.resolve(path.dirname(file), specifier) : specifier
  const declared = new Map<string, boolean>()
  for (const { 1: name = '', index } of source.matchAll(DECLARATION)) {
    const before = source.slice(0, index).trimEnd()
    const hasDoc = before.endsWith('*/') && before.slice(before.lastIndexOf('/*')).startsWith('/**')
    // Overloads and merged declarations have one comment between them.
    declared.set(name, declared.get(name) === true || hasDoc)
  }
  const imported = new Map<string, Place>()
  for (const { moduleRequest, entries } of module.staticImports) {
    for (const { importName, localName } of entries) {
      imported.set(localName.value, { file: at(moduleRequest.value), name: importName.name ?? 'default' })
    }
  }
  const exported = new Map<string, Place>()
  const whole: string[] = []
  for (const { entries } of module.staticExports) {
    for (const { exportName, importName, localName, moduleRequest } of entries) {
      if (exportName.name === null && moduleRequest !== null) whole.push(at(moduleRequest.value))
      else if (exportName.name !== null) {
        const name = importName.name ?? localName.name ?? exportName.name
        exported.set(exportName.name, {
          file: moduleRequest === null ? file : at(moduleRequest.value),
          name,
        })
      }
    }
  }
  return { declared, imported, exported, whole }
}

/** Everything that a module exports, with the place where each name leads. */
function exportsOf(file: string): Map<string, Place> {
  const { exported, whole } = readModule(file)
  const all = new Map<string, Place>()
  for (const other of whole) for (const [name, place] of exportsOf(other)) all.set(name, place)
  for (const [name, place] of exported) all.set(name, place)
  return all
}

/** Whether what a name leads to has a doc comment; names of other packages have theirs there. */
function hasDoc({ file, name }: Place): boolean {
  if (!existsSync(file)) return true
  const { declared, imported, exported } = readModule(file)
  const own = declared.get(name)
  if (own !== undefined) return own
  const next = imported.get(name) ?? exported.get(name)
  return next !== undefined && (next.file !== file || next.name !== name) && hasDoc(next)
}

/** The exported names of a package that have none. */
function withoutDoc(entry: string): string[] {
  return [...exportsOf(entry)].filter(([, place]) => !hasDoc(place)).map(([name]) => name)
}

describe('every exported name has a doc comment', () => {
  it.each([
    'cloister/src/index.ts',
    'schema/src/index.ts',
    'schema/src/serializer/standalone.ts',
    'plugin/src/index.ts',
    'bearer-auth/src/index.ts',
  ])('in packages/%s', (entry) => {
    expect(withoutDoc(path.join(repository, 'packages', entry))).toEqual([])
  })

  it('and one without would be found', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'cloister-doc-comments-'))
    try {
      writeFileSync(path.join(folder, 'index.ts'), "export { told, bare as renamed } from './parts.ts'\n")
      writeFileSync(
        path.join(folder, 'parts.ts'),
        '/** Told. */\nexport const told = 1\nexport const bare = 2\n',
      )
      expect(withoutDoc(path.join(folder, 'index.ts'))).toEqual(['renamed'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
