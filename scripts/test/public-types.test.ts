import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { blocksOfMarkdown } from '../lib/code-blocks.mjs'
import { trackedFiles } from '../lib/files.mjs'
import { AT_CLOISTER } from '../../packages/migrate/src/rewrite-imports.ts'
import { ALIASES, SAME } from '../lib/fastify-names.mjs'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const IMPORT = /import\s+(?:type\s+)?(?:\w+,\s*)?\{([^}]*)\}\s+from 'cloister'/g

/** Values that Fastify exports, and types that it has from others. */
const VALUES = ['default', 'errorCodes', 'fastify', 'LogController']
const OTHERS = [
  'ConstraintStrategy',
  'HookHandlerDoneFunction',
  'InjectOptions',
  'LightMyRequestCallback',
  'LightMyRequestChain',
  'LightMyRequestResponse',
  'RouteOptions',
  'RouteShorthandOptions',
]

/** Returns the names of an import or export list, as the module has them. */
function namesOf(list: string): string[] {
  const names = list.split(',').map((one) =>
    one
      .trim()
      .replace(/^type /, '')
      .replace(/ as .*/, ''),
  )
  return names.filter((name) => name !== '')
}

/** Returns what `cloister` exports as types; its classes are values and types. */
function publicTypes(): string[] {
  const source = (file: string) => readFileSync(path.join(repository, 'packages/cloister/src', file), 'utf8')
  expect(source('index.ts').match(/^export type .*$/gm)).toEqual(["export type * from './types/written.ts'"])
  const text = source('types/written.ts')
  const [, list = ''] = /export type \{([^}]*)\}/.exec(text) ?? []
  return namesOf(list)
}

function importedInDocs(): Set<string> {
  const pages = trackedFiles(repository).filter((file) => /^(?:README\.md|docs\/.*\.md)$/.test(file))
  const code = pages
    .flatMap((file) => blocksOfMarkdown(file, readFileSync(path.join(repository, file), 'utf8')))
    .map((block) => block.code)
  return new Set(code.flatMap((one) => [...one.matchAll(IMPORT)].flatMap(([, list = '']) => namesOf(list))))
}

it('cloister exports at most 90 types, each of which an example of the documents imports', () => {
  const types = publicTypes()
  expect(types.length).toBeGreaterThan(50)
  expect(types.length).toBeLessThanOrEqual(90)
  const shown = importedInDocs()
  expect(types.filter((name) => !shown.has(name))).toEqual([])
})

it('migrate --native knows which type names of Fastify cloister exports', () => {
  const fastify = new Set([...Object.keys(SAME), ...Object.keys(ALIASES), ...VALUES, ...OTHERS])
  const both = [...publicTypes(), ...VALUES].filter((name) => fastify.has(name))
  expect([...AT_CLOISTER].sort()).toEqual(both.sort())
})
