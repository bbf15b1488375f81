import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { run } from './run.ts'

const ALIAS = 'npm:@cloister/fastify@^5.12.0'
const MANIFEST = '{\n\t"name": "a",\n\t"dependencies": {\n\t\t"fastify": "^4.0.0",\n\t\t"pino": "9"\n\t}\n}\n'

let folder: string
const write = (name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  writeFileSync(path.join(folder, name), text)
}
const read = (name = 'package.json'): string => readFileSync(path.join(folder, name), 'utf8')
const parsed = (name?: string): unknown => JSON.parse(read(name))
const commit = (): void => {
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
      cwd: folder,
      stdio: 'pipe',
    })
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'one')
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cli-migrate-'))
  write('package.json', MANIFEST)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('cloister migrate', () => {
  it.each([
    ['package-lock.json', 'npm', { overrides: { fastify: '$fastify' } }],
    ['yarn.lock', 'yarn', { resolutions: { fastify: ALIAS } }],
    ['bun.lock', 'bun', { overrides: { fastify: ALIAS } }],
    ['bun.lockb', 'bun', { overrides: { fastify: ALIAS } }],
  ])('writes the alias and the override of the package manager: %s', async (lock, manager, overrides) => {
    write(lock, '')
    commit()
    const { code, output, errors } = await run(['--no-proof'], folder)
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toContain(`Next, run ${manager} install`)
    expect(parsed()).toEqual({ name: 'a', dependencies: { fastify: ALIAS, pino: '9' }, ...overrides })
    expect(read()).toMatch(/^\{\n\t"name"[^]*\}\n$/)
  })

  it('keeps the overrides that are there', async () => {
    const before = { devDependencies: { fastify: '5' }, overrides: { a: '1', fastify: '4' } }
    write('package.json', JSON.stringify(before))
    await run(['--no-proof', '--force'], folder)
    expect(parsed()).toEqual({
      devDependencies: { fastify: ALIAS },
      overrides: { a: '1', fastify: '$fastify' },
    })
  })

  it('writes the manifests of workspaces that use Fastify', async () => {
    write('package.json', '{"workspaces":["apps/*","tools"]}')
    write('yarn.lock', '')
    write('apps/api/package.json', MANIFEST)
    write('apps/page/package.json', '{"name":"page"}')
    await run(['--no-proof', '--force'], folder)
    expect(parsed()).toMatchObject({ resolutions: { fastify: ALIAS } })
    expect(parsed('apps/api/package.json')).toMatchObject({ dependencies: { fastify: ALIAS } })
    expect(read('apps/page/package.json')).toBe('{"name":"page"}')
  })

  const pnpmOverrides = { overrides: { fastify: ALIAS }, peerDependencyRules: { allowAny: ['fastify'] } }

  it.each([
    ['8.15.9', true, false],
    ['9.1.0', true, false],
    ['10.12.1', true, true],
    ['11.0.0-rc.1+sha512.abc', false, true],
    [null, true, true],
  ])('writes overrides where pnpm reads them: %s', async (version, isManifest, isWorkspace) => {
    const manifest = { dependencies: { fastify: '5' }, ...(version && { packageManager: `pnpm@${version}` }) }
    write('package.json', JSON.stringify(manifest))
    write('pnpm-lock.yaml', '')
    await run(['--no-proof', '--force'], folder)
    expect(parsed()).toEqual({
      ...manifest,
      dependencies: { fastify: ALIAS },
      ...(isManifest && { pnpm: pnpmOverrides }),
    })
    const workspace = existsSync(path.join(folder, 'pnpm-workspace.yaml'))
      ? parse(read('pnpm-workspace.yaml'))
      : null
    expect(workspace).toEqual(isWorkspace ? { packages: ['.'], ...pnpmOverrides } : null)
    await run(['--undo'], folder)
    expect(existsSync(path.join(folder, 'pnpm-workspace.yaml'))).toBe(false)
  })

  it('knows pnpm by what installed the project, or by devEngines', async () => {
    write('pnpm-lock.yaml', '')
    write('node_modules/.modules.yaml', 'hoistPattern:\n  - "*"\npackageManager: pnpm@11.2.0\n')
    await run(['--no-proof', '--force'], folder)
    expect(parsed()).not.toHaveProperty('pnpm')
    const devEngines = { packageManager: { name: 'pnpm', version: '^9.0.0' } }
    write('package.json', JSON.stringify({ dependencies: { fastify: '5' }, devEngines }))
    rmSync(path.join(folder, 'pnpm-workspace.yaml'))
    await run(['--no-proof', '--force'], folder)
    expect(parsed()).toHaveProperty('pnpm')
    expect(existsSync(path.join(folder, 'pnpm-workspace.yaml'))).toBe(false)
  })

  it('reads the folders of pnpm-workspace.yaml, and keeps what is in the file', async () => {
    const text = [
      '# our workspace',
      'packages:',
      '  - packages/**',
      "  - './{apps,tools}/*/' # all of them",
      "  - '!**/old/**'",
      'overrides:',
      '  a: 1.0.0',
      'peerDependencyRules:',
      '  allowAny: [react]',
      '',
    ].join('\n')
    write('pnpm-workspace.yaml', text)
    write('pnpm-lock.yaml', '')
    write('package.json', '{"name":"root","packageManager":"pnpm@11.5.0"}')
    const using = [
      'packages/package.json',
      'packages/a/b/package.json',
      'apps/api/package.json',
      'tools/x/package.json',
    ]
    const others = [
      'packages/old/c/package.json',
      'apps/api/deep/package.json',
      'else/package.json',
      'packages/a/node_modules/m/package.json',
    ]
    for (const name of [...using, ...others]) write(name, MANIFEST)
    const { code, errors } = await run(['--no-proof', '--force'], folder)
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    for (const name of using) expect(parsed(name), name).toMatchObject({ dependencies: { fastify: ALIAS } })
    for (const name of others) expect(read(name), name).toBe(MANIFEST)
    expect(read('package.json')).toBe('{"name":"root","packageManager":"pnpm@11.5.0"}')
    const written = read('pnpm-workspace.yaml')
    expect(written).toContain('# our workspace')
    expect(written).toContain('# all of them')
    expect(parse(written)).toMatchObject({
      overrides: { a: '1.0.0', fastify: ALIAS },
      peerDependencyRules: { allowAny: ['react', 'fastify'] },
    })
    await run(['--undo'], folder)
    expect(read('pnpm-workspace.yaml')).toBe(text)
  })

  it.each([
    ['a member has', 'apps/api/node_modules/fastify', MANIFEST],
    [
      'a framework of a member brings',
      'store/node_modules/fastify',
      '{"dependencies":{"@nestjs/platform-fastify":"11"}}',
    ],
  ])(
    'compares with the Fastify that %s, and reports what is installed then',
    async (_what, place, manifest) => {
      write('package.json', '{"name":"root","workspaces":["apps/*"]}')
      write('pnpm-lock.yaml', '')
      write('apps/api/package.json', manifest)
      write('store/node_modules/@nestjs/platform-fastify/package.json', '{"name":"@nestjs/platform-fastify"}')
      mkdirSync(path.join(folder, 'apps/api/node_modules/@nestjs'), { recursive: true })
      const framework = path.join(folder, 'apps/api/node_modules/@nestjs/platform-fastify')
      symlinkSync(path.join(folder, 'store/node_modules/@nestjs/platform-fastify'), framework)
      const file = `${place}/package.json`
      write(file, '{"name":"fastify","version":"5.1.0"}')
      const prove = async (name: string) => {
        const text = JSON.stringify({ name, version: '5.12.8' })
        write(
          'install.mjs',
          `import fs from 'node:fs'\nfs.writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(text)})`,
        )
        const line = ['--force', '--test', 'node -v', '--install', 'node install.mjs']
        return run(line, folder)
      }
      const kept = await prove('fastify')
      expect(kept.errors).toContain('node_modules/fastify is still Fastify 5.12.8')
      await run(['--undo'], folder)
      const moved = await prove('@cloister/fastify')
      expect(moved.errors).toContain('1 of 5  on Fastify 5.12.8')
      expect(read('cloister-migrate.md')).toContain(
        '# From Fastify 5.12.8 to Cloister, @cloister/fastify 5.12.8',
      )
    },
  )

  it('is run at the root of a workspace, where the overrides are', async () => {
    write('package.json', '{"workspaces":["apps/*"]}')
    write('apps/a/package.json', MANIFEST)
    expect(await run(['--no-proof', '--force'], path.join(folder, 'apps/a'))).toMatchObject({
      code: 3,
      errors: `cloister: ${path.join(folder, 'apps/a')} belongs to the workspace in ${folder}; run this there\n`,
    })
    expect(read('apps/a/package.json')).toBe(MANIFEST)
  })

  it('names the manifests that it read, and a workspace file that is no YAML', async () => {
    write('package.json', '{"workspaces":["apps/*"]}')
    write('apps/a/package.json', '{"dependencies":{"express":"5"}}')
    expect(await run(['--no-proof', '--force'], folder)).toMatchObject({
      code: 3,
      errors: expect.stringContaining('(read: package.json, apps/a/package.json)'),
    })
    write('pnpm-workspace.yaml', 'packages: [')
    expect(await run(['--no-proof', '--force'], folder)).toMatchObject({
      code: 3,
      errors: expect.stringContaining('pnpm-workspace.yaml cannot be read: '),
    })
  })

  const NEST = { dependencies: { '@nestjs/core': '11', '@nestjs/platform-fastify': '11' } }

  it.each([
    [
      'package-lock.json',
      { dependencies: { ...NEST.dependencies, fastify: ALIAS }, overrides: { fastify: '$fastify' } },
    ],
    ['yarn.lock', { ...NEST, resolutions: { fastify: ALIAS } }],
    ['bun.lock', { ...NEST, overrides: { fastify: ALIAS } }],
  ])('moves the Fastify that Nest brings: %s', async (lock, expected) => {
    write('package.json', JSON.stringify(NEST))
    write(lock, '')
    expect(await run(['--no-proof', '--force'], folder)).toMatchObject({ code: 0, errors: '' })
    expect(parsed()).toEqual(expected)
    await run(['--undo'], folder)
    expect(await run(['--native', '--no-proof', '--force'], folder)).toMatchObject({ code: 3 })
  })

  it('--dry-run prints the manifests and writes nothing', async () => {
    const { code, output } = await run(['--dry-run'], folder)
    expect(code).toBe(0)
    expect(output).toContain(`"fastify": "${ALIAS}"`)
    expect(read()).toBe(MANIFEST)
  })

  it('--undo writes what was there, byte by byte; after other changes only with --force', async () => {
    await run(['--no-proof', '--force'], folder)
    const written = read()
    write('package.json', `${written}\n`)
    expect(await run(['--undo'], folder)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('has changed'),
    })
    write('package.json', written)
    expect((await run(['--undo'], folder)).code).toBe(0)
    expect(read()).toBe(MANIFEST)
    expect((await run(['--undo'], folder)).code).toBe(3)
  })

  it('works on a clean tree of git only', async () => {
    expect((await run(['--no-proof'], folder)).errors).toContain('no git repository')
    commit()
    write('other.txt', '')
    const { code, errors } = await run(['--no-proof'], folder)
    expect({ code, errors }).toEqual({
      code: 1,
      errors: 'cloister: git has changes that are not committed: commit first, or use --force\n',
    })
    expect(read()).toBe(MANIFEST)
  })

  it('--native rewrites imports by their syntax, and nothing else', async () => {
    const source = (name: string): string =>
      `import Fastify from '${name}'\nimport type { FastifyInstance } from "${name}"\nconst a = require('${name}')\nawait import('${name}')\nexport * from '${name}'\n// import 'fastify'\nconst text = 'fastify'\nimport b from 'fastify-plugin'\nvi.mock('${name}')\ndeclare module '${name}' {}\ntype C = import('${name}').FastifyReply\n`
    write('src/a.ts', source('fastify'))
    write('types.d.ts', "declare module 'fastify' {}\n")
    write('node_modules/other/a.js', "import 'fastify'\n")
    await run(['--native', '--no-proof', '--force'], folder)
    expect(read('src/a.ts')).toBe(source('cloister'))
    expect(read('types.d.ts')).toBe("declare module 'cloister' {}\n")
    expect(read('node_modules/other/a.js')).toBe("import 'fastify'\n")
    expect(parsed()).toEqual({
      name: 'a',
      dependencies: { cloister: expect.stringMatching(/^\^\d/), pino: '9' },
    })
    expect((await run(['--undo'], folder)).code).toBe(0)
    expect([read('src/a.ts'), read()]).toEqual([source('fastify'), MANIFEST])
  })

  it.each([
    [
      "import type { FastifyInstance, FastifyServerOptions } from 'fastify'",
      "import type { FastifyInstance, FastifyServerOptions } from 'cloister/types'",
    ],
    [
      'import { FastifyListenOptions } from "fastify";',
      'import { FastifyListenOptions } from "cloister/types";',
    ],
    [
      "import app, { type FastifyReply, type RouteHandler as Run } from 'fastify'",
      "import app, { type FastifyReply } from 'cloister'\nimport type { RouteHandler as Run } from 'cloister/types'",
    ],
    [
      "import app, { RouteHandler } from 'fastify';",
      "import app from 'cloister';\nimport type { RouteHandler } from 'cloister/types';",
    ],
    [
      "import { fastify, HTTPMethods } from 'fastify'",
      "import { fastify } from 'cloister'\nimport type { HTTPMethods } from 'cloister/types'",
    ],
    ["export type { HTTPMethods } from 'fastify'", "export type { HTTPMethods } from 'cloister/types'"],
    ["type A = import('fastify').HTTPMethods", "type A = import('cloister/types').HTTPMethods"],
    [
      "declare module 'fastify' { interface FastifyRequest { user: string } }",
      "declare module 'cloister' { interface FastifyRequest { user: string } }",
    ],
    [
      "declare module 'fastify' { interface FastifyLoggerOptions {} }",
      "declare module 'cloister/types' { interface FastifyLoggerOptions {} }",
    ],
  ])('--native takes types from where they are: %s', async (before, after) => {
    write('src/a.ts', before)
    await run(['--native', '--no-proof', '--force'], folder)
    expect(read('src/a.ts')).toBe(after)
  })

  it('proves nothing where Fastify is not installed', async () => {
    const { code, errors } = await run(['--force'], folder)
    expect(code).toBe(3)
    expect(errors).toContain('fastify is not installed')
    expect(read()).toBe(MANIFEST)
  })

  it.each([
    ['without Fastify', '{"peerDependencies":{"fastify":"5"}}', 'no package.json here depends on fastify'],
    ['that is broken', '{', 'package.json cannot be read: '],
  ])('refuses a project %s', async (_what, text, message) => {
    write('package.json', text)
    const { code, errors } = await run(['--no-proof', '--force'], folder)
    expect(code).toBe(3)
    expect(errors).toContain(message)
  })
})
