import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseSync } from 'oxc-parser'
import type { ClassElement, Statement, TSSignature } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { repository } from '../lib/run.mjs'

interface Origin {
  readonly file: string
  readonly name: string
}

/** What the test reads from a module: its declarations with their comments, and the sources of other names. */
interface ModuleNames {
  /** declared name -> whether it has a doc comment */
  readonly declared: ReadonlyMap<string, boolean>
  /** local name -> where it is imported from */
  readonly imported: ReadonlyMap<string, Origin>
  /** exported name -> local name or another module */
  readonly exported: ReadonlyMap<string, Origin>
  /** modules that are re-exported as a whole */
  readonly whole: readonly string[]
}

const DECLARATION =
  /^(?:export )?(?:declare )?(?:abstract )?(?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm

/** Parses each file once: most names are resolved through the same few files. */
function once<Result>(read: (file: string) => Result): (file: string) => Result {
  const results = new Map<string, Result>()
  return (file) => {
    const known = results.get(file)
    if (known !== undefined) return known
    const result = read(file)
    results.set(file, result)
    return result
  }
}

const parse = once((file) => {
  const source = readFileSync(file, 'utf8')
  const { module, program } = parseSync(file, source)
  return { source, module, program }
})

const readModule = once((file): ModuleNames => {
  const { source, module } = parse(file)
  const at = (specifier: string): string =>
    specifier.startsWith('.') ? path.resolve(path.dirname(file), specifier) : specifier
  const declared = new Map<string, boolean>()
  for (const { 1: name = '', index } of source.matchAll(DECLARATION)) {
    const before = source.slice(0, index).trimEnd()
    const hasDoc = before.endsWith('*/') && before.slice(before.lastIndexOf('/*')).startsWith('/**')
    // Overloads and merged declarations share one comment.
    declared.set(name, declared.get(name) === true || hasDoc)
  }
  const imported = new Map<string, Origin>()
  for (const { moduleRequest, entries } of module.staticImports) {
    for (const { importName, localName } of entries) {
      imported.set(localName.value, { file: at(moduleRequest.value), name: importName.name ?? 'default' })
    }
  }
  const exported = new Map<string, Origin>()
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
})

/** Returns all exports of a module, with the origin of each name. */
function exportsOf(file: string): Map<string, Origin> {
  const { exported, whole } = readModule(file)
  const all = new Map<string, Origin>()
  for (const other of whole.filter((file) => existsSync(file)))
    for (const [name, place] of exportsOf(other)) all.set(name, place)
  for (const [name, place] of exported) all.set(name, place)
  return all
}

/** Whether the declaration of a name has a doc comment; true for names of other packages. */
function hasDoc({ file, name }: Origin): boolean {
  if (!existsSync(file)) return true
  const { declared, imported } = readModule(file)
  const own = declared.get(name)
  if (own !== undefined) return own
  const next = imported.get(name) ?? exportsOf(file).get(name)
  return next !== undefined && (next.file !== file || next.name !== name) && hasDoc(next)
}

/** Returns the exported names of a package without a doc comment, and members without one as `Name.member`. */
function withoutDoc(entry: string): string[] {
  return [...exportsOf(entry)].flatMap(([name, place]) => {
    const members = bareMembers(place).map((member) => `${name}.${member}`)
    return hasDoc(place) ? members : [name, ...members]
  })
}

/** Returns the members of an interface, class or object type that have no doc comment, also not in a base type. */
function bareMembers(origin: Origin): string[] {
  return [...membersOf(origin, new Set())].flatMap(([name, isDocumented]) => (isDocumented ? [] : [name]))
}

/** Returns the members of a type and its bases: name -> whether it has a doc comment, also on a base. */
function membersOf({ file, name }: Origin, seen: Set<string>): Map<string, boolean> {
  const found = new Map<string, boolean>()
  const key = `${file} ${name}`
  if (!existsSync(file) || seen.has(key)) return found
  seen.add(key)
  const { source, program } = parse(file)
  const declarations = program.body.flatMap((statement) => declarationsIn(statement, name))
  const { imported } = readModule(file)
  const next = declarations.length === 0 ? (imported.get(name) ?? exportsOf(file).get(name)) : undefined
  if (next !== undefined) return membersOf(next, seen)
  const add = (member: string, isDocumented: boolean): void => {
    found.set(member, found.get(member) === true || isDocumented)
  }
  for (const { members, bases } of declarations) {
    for (const member of members) {
      const own = nameOf(member)
      if (own !== null) add(own, endsWithDoc(source.slice(0, member.start)))
    }
    for (const base of bases) {
      const inherited = membersOf(imported.get(base) ?? { file, name: base }, seen)
      for (const [member, isDocumented] of inherited) add(member, isDocumented)
    }
  }
  return found
}

interface Declaration {
  readonly members: readonly Member[]
  readonly bases: readonly string[]
}

type Member = TSSignature | ClassElement

/** Returns what a statement declares under a name: its public members, and the names of its bases. */
function declarationsIn(statement: Statement, name: string): Declaration[] {
  const node = 'declaration' in statement && statement.declaration ? statement.declaration : statement
  if (!('id' in node) || node.id?.type !== 'Identifier' || node.id.name !== name) return []
  if (node.type === 'TSInterfaceDeclaration') {
    const bases = node.extends.map(({ expression }) => expression)
    return [
      {
        members: node.body.body,
        bases: bases.flatMap((base) => (base.type === 'Identifier' ? [base.name] : [])),
      },
    ]
  }
  if (node.type === 'TSTypeAliasDeclaration' && node.typeAnnotation.type === 'TSTypeLiteral') {
    return [{ members: node.typeAnnotation.members, bases: [] }]
  }
  if (node.type !== 'ClassDeclaration') return []
  const base = node.superClass?.type === 'Identifier' ? [node.superClass.name] : []
  return [{ members: node.body.body.filter(isPublic), bases: base }]
}

/** Overrides inherit the comment of the base, and constructors use that of the class. */
function isPublic(member: ClassElement): boolean {
  if (!('key' in member) || member.key.type === 'PrivateIdentifier') return false
  if (member.type === 'MethodDefinition' && member.kind === 'constructor') return false
  return member.accessibility !== 'private' && member.override !== true && !member.static
}

/** Returns the name of a member; `null` for symbols, and for signatures, which the type's comment describes. */
function nameOf(member: Member): string | null {
  if (!('key' in member) || ('computed' in member && member.computed)) return null
  const { key } = member
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' ? String(key.value) : null
}

function endsWithDoc(before: string): boolean {
  const text = before.trimEnd()
  return text.endsWith('*/') && text.slice(text.lastIndexOf('/*')).startsWith('/**')
}

describe('every exported name and its members have a doc comment', () => {
  it.each([
    'cloister/src/index.ts',
    'cloister/src/types/public.ts',
    'schema/src/index.ts',
    'schema/src/serializer/standalone.ts',
    'plugin/src/index.ts',
    'bearer-auth/src/index.ts',
    'wire/src/index.ts',
    'operate/src/index.ts',
    'otel/src/index.ts',
    'websocket/src/index.ts',
    'web/src/index.ts',
    'state/src/index.ts',
    'state/src/conformance/index.ts',
    'mcp/src/index.ts',
    'cli/src/index.ts',
    'client/src/index.ts',
    'client/src/follow.ts',
    'client/src/integers.ts',
    'client/src/query.ts',
    'fastify/src/index.ts',
    'cloister/src/fetch.ts',
    'cloister/src/inspection.ts',
  ])('in packages/%s', (entry) => {
    expect(withoutDoc(path.join(repository, 'packages', entry))).toEqual([])
  })

  it('and one without would be found', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'cloister-doc-comments-'))
    try {
      writeFileSync(
        path.join(folder, 'index.ts'),
        "export { documented, bare as renamed, Shape, Thing } from './parts.ts'\n",
      )
      writeFileSync(
        path.join(folder, 'parts.ts'),
        [
          '/** Documented. */\nexport const documented = 1\nexport const bare = 2',
          '/** Documented. */\nexport interface Shape extends Base { /** Documented. */ a: 1; b: 2 }',
          'interface Base { c: 3 }',
          '/** Documented. */\nexport class Thing { d() {}; #e() {} }',
        ].join('\n'),
      )
      const faults = ['Shape.b', 'Shape.c', 'Thing.d', 'renamed']
      expect(withoutDoc(path.join(folder, 'index.ts')).sort()).toEqual(faults)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
