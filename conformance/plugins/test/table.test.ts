import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../../', import.meta.url)

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8')
}

function dependencies(path: string): [string, string][] {
  const { dependencies: direct = {}, devDependencies = {} } = JSON.parse(read(path))
  return Object.entries<string>({ ...direct, ...devDependencies })
}

/** The rows of the table, by package, with the two versions. */
const rows = new Map(
  [...read('docs/compatibility-plugins.md').matchAll(/^\| `([^`]+)` \| (\S+) \| (\S+) \|/gm)].map(
    ([, name = '', line4 = '', line5 = '']) => [name, { line4, line5 }],
  ),
)

it('lists every plugin that is installed, with the versions of both lines', () => {
  for (const [name, spec] of dependencies('conformance/plugins/package.json')) {
    const [, aliased, version] = /^npm:(.+)@([^@]+)$/.exec(spec) ?? [undefined, name, spec]
    const packageName = aliased ?? name
    if (!packageName.startsWith('@fastify/') && packageName !== 'fastify-plugin') continue
    const row = rows.get(packageName)
    expect([row?.line4, row?.line5], `${packageName} ${version}`).toContain(version)
  }
})

it('lists every integration with the versions of both lines', () => {
  const names = [
    '@as-integrations/fastify',
    '@nestjs/platform-fastify',
    '@trpc/server',
    'fastify-type-provider-zod',
    'mercurius',
  ]
  const line4 = new Map(dependencies('conformance/integrations/line-4/package.json'))
  const line5 = new Map(dependencies('conformance/integrations/line-5/package.json'))
  for (const name of names) {
    expect(rows.get(name)).toEqual({ line4: line4.get(name), line5: line5.get(name) })
  }
})
