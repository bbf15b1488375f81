import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))

interface Parameter {
  readonly name: string
  readonly hasDefault: boolean
}

/** Returns the type parameters of the types that files declare, by the name of the type. */
function typesOf(files: readonly string[]): Map<string, readonly Parameter[]> {
  const types = new Map<string, readonly Parameter[]>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('type' in node && /^TS(TypeAlias|Interface)Declaration$/.test(String(node.type))) {
      const { id, typeParameters } = node as unknown as Declaration
      const parameters = (typeParameters?.params ?? []).map(({ name, default: byDefault }) => ({
        name: name.name.replace(/^_/, ''),
        hasDefault: byDefault !== null,
      }))
      if ((types.get(id.name)?.length ?? -1) < parameters.length) types.set(id.name, parameters)
    }
    for (const child of Object.values(node)) visit(child)
  }
  for (const file of files) visit(parseSync(file, readFileSync(file, 'utf8')).program.body)
  return types
}

interface Declaration {
  readonly id: { readonly name: string }
  readonly typeParameters: {
    readonly params: readonly { readonly name: { readonly name: string }; readonly default: unknown }[]
  } | null
}

/** Returns the names that an entry exports. */
function exportedBy(text: string): Set<string> {
  const lists = [...text.matchAll(/export type \{([^}]*)\}/g)].flatMap(([, list = '']) => list.split(','))
  const names = lists.map((name) => name.trim().replace(/^.* as /, ''))
  const declared = [...text.matchAll(/export (?:declare )?(?:type|interface) (\w+)/g)].map(
    ([, name = '']) => name,
  )
  return new Set([...names, ...declared].filter((name) => name !== ''))
}

function published(line: 'fastify4' | 'fastify5'): Map<string, readonly Parameter[]> {
  const folder = path.join(repository, 'node_modules', line)
  const entry = path.join(folder, 'fastify.d.ts')
  const parts = readdirSync(path.join(folder, 'types')).filter((file) => file.endsWith('.d.ts'))
  const types = typesOf([entry, ...parts.map((file) => path.join(folder, 'types', file))])
  const exported = exportedBy(readFileSync(entry, 'utf8'))
  return new Map([...types].filter(([name]) => exported.has(name)))
}

const folder = path.join(repository, 'packages/cloister/src/types')
const ours = typesOf([
  path.join(folder, 'fastify/names.generated.ts'),
  path.join(folder, 'fastify/interfaces.ts'),
  path.join(folder, 'logger.ts'),
  path.join(folder, 'options.ts'),
  path.join(folder, 'plugin.ts'),
  path.join(folder, 'route-schema.ts'),
  path.join(folder, 'routing.ts'),
])
/** Our names for the same types. */
const RENAMED: Readonly<Record<string, string>> = { RouteGenericInterface: 'RouteGeneric' }

describe.each(['fastify4', 'fastify5'] as const)('the type names of %s', (line) => {
  const types = [...published(line)]

  it('are all published', () => expect(types.length).toBeGreaterThan(75))

  it.each(types)('have the type parameters that are published: %s', (name, parameters) => {
    const own = ours.get(RENAMED[name] ?? name)
    expect(own, `the type ${name}`).toBeDefined()
    // Further parameters of ours have defaults.
    const [same, more] = [own?.slice(0, parameters.length) ?? [], own?.slice(parameters.length) ?? []]
    expect(more.filter(({ hasDefault }) => !hasDefault)).toEqual([])
    expect(same).toHaveLength(parameters.length)
    for (const [index, { hasDefault }] of parameters.entries()) {
      if (hasDefault) expect(same[index]?.hasDefault, `parameter ${index + 1} of ${name}`).toBe(true)
    }
    // The first four of the reply are accepted in the order of Fastify 4.x and of 5.x.
    if (name === 'FastifyReply') return
    expect(same.map((one) => alike(one.name))).toEqual(parameters.map((one) => alike(one.name)))
  })
})

/** Names of parameters with the same meaning. */
const ALIKE: Readonly<Record<string, string>> = {
  TypeProviderDefault: 'TypeProvider',
  LoggerDefault: 'Logger',
  Server: 'RawServer',
  PreSerializationPayload: 'Payload',
  OnSendPayload: 'Payload',
  ContextConfig: 'Config',
  T: 'Schema',
}

function alike(name: string): string {
  return ALIKE[name] ?? name
}
