// The planted faults: for each gate, files that replace those of the sound workspace, and what it must report.

/**
 * @typedef {object} GateFault
 * @property {string} gate
 * @property {readonly string[]} [before] arguments of Node: what writes files of the workspace before the faults are planted
 * @property {Readonly<Record<string, string>>} files paths and texts
 * @property {readonly RegExp[]} reports
 */

/** @type {readonly GateFault[]} */
export const gateFaults = [
  {
    gate: 'format',
    files: {
      'packages/plugin/src/index.ts': `export const name:string="plugin";
`,
    },
    reports: [/packages\/plugin\/src\/index\.ts/],
  },
  {
    gate: 'types',
    files: {
      'packages/cloister/test/names.test.ts': `import { expect, it } from 'vitest'
import { names } from 'cloister'

it('is type-checked too', () => {
  expect(names.lenght).toBe(2)
})
`,
      'packages/plugin/src/index.ts': `export const name: number = 'plugin'
`,
    },
    reports: [/plugin\/src\/index\.ts\(1,14\): error TS2322/, /names\.test\.ts\(5,16\): error TS2551/],
  },
  {
    gate: 'lint',
    files: {
      'packages/cloister/src/index.ts': `import { load } from '@cloister/schema'

export function broken(value: any): string {
  load()
  const text = load as unknown as string
  const list: string[] = []
  return text + list[0]! + String(value)
}

export function generate(text: string): unknown {
  return new Function(text)
}

export async function misuse(): Promise<void> {
  if (load()) throw 'no error'
}
`,
      'packages/cloister/test/names.test.ts': `import { expect, it } from 'vitest'
import { broken } from '../src/index.ts'

it.only('is focused', () => {
  expect(Promise.reject(new Error(broken(1)))).rejects.toThrow()
})
it.skip('is skipped', () => {})
`,
      'packages/schema/src/index.ts': `export async function load(): Promise<number> {
  return 1
}
`,
    },
    reports: [
      /no-explicit-any/,
      /no-non-null-assertion/,
      /no-unsafe-type-assertion/,
      /no-floating-promises[\s\S]*src\/index\.ts/,
      /no-floating-promises[\s\S]*names\.test\.ts/,
      /no-misused-promises/,
      /only-throw-error/,
      /no-new-func/,
      /no-focused-tests/,
      /no-disabled-tests/,
    ],
  },
  {
    gate: 'layers',
    files: {
      'packages/cloister/src/attic/old.ts': `import { listen } from '../transport/listen.ts'
export const old: string = listen
`,
      'packages/cloister/src/context/context.ts': `import { listen } from '../transport/listen.ts'
import type { Server } from 'node:http'
export const context: Server | unknown = listen
`,
      'packages/cloister/src/transport/listen.ts': `export const listen: string = 'listen'
`,
      'packages/schema/src/index.ts': `import { names } from 'cloister'
import { one } from './one.ts'
export const name: string = names.join() + one
`,
      'packages/schema/src/one.ts': `import { two } from './two.ts'
export const one: string = two
`,
      'packages/wire/package.json': `{ "name": "@cloister/wire", "version": "0.0.0", "type": "module" }
`,
      'packages/wire/src/body/pair.ts': `import type { Other } from '../head/pair.ts'
export interface Pair { readonly other: Other }
`,
      'packages/wire/src/head/pair.ts': `import type { Pair } from '../body/pair.ts'
export interface Other { readonly pair: Pair }
`,
      'packages/cloister/src/logging/pair.ts': `import type { Other } from '../types/pair.ts'
export interface Pair { readonly other: Other }
`,
      'packages/cloister/src/types/pair.ts': `import type { Pair } from '../logging/pair.ts'
export interface Other { readonly pair: Pair }
`,
      'packages/schema/src/document/pair.ts': `import type { Other } from '../store/pair.ts'
export interface Pair { readonly other: Other }
`,
      'packages/schema/src/codegen/evaluate.ts': `export const evaluate: string = ''
`,
      'packages/schema/src/codegen/writer.ts': `import { evaluate } from './evaluate.ts'
export const writer: string = evaluate
`,
      'packages/schema/src/serializer/emit/text.ts': `import type { Node } from '../read/parse.ts'
export type Text = Node
`,
      'packages/schema/src/serializer/read/parse.ts': `export type Node = string
`,
      'packages/schema/src/store/pair.ts': `import type { Pair } from '../document/pair.ts'
export interface Other { readonly pair: Pair }
`,
      'packages/schema/src/two.ts': `import { one } from './one.ts'
export { one as again } from './one.ts'
import { name } from '../../plugin/src/index.ts'
import { nothing } from './nothing'
export const two: string = one + name + nothing
`,
    },
    reports: [
      /schema\/src\/index\.ts:1 .*imports cloister \(layer 2\)/,
      /cycle of value imports: .*one\.ts -> .*two\.ts -> .*one\.ts/,
      /codegen\/writer\.ts:1 imports \.\/evaluate\.ts; only packages\/schema\/src\/codegen\/compile\.ts may/,
      /two\.ts:2 re-exports/,
      /circle of imports across the rooms document, store: .*document\/pair\.ts, .*store\/pair\.ts/,
      /circle of imports across the rooms body, head: .*body\/pair\.ts, .*head\/pair\.ts/,
      /circle of imports across the rooms logging, types: .*logging\/pair\.ts, .*types\/pair\.ts/,
      /two\.ts:3 reaches out of its package/,
      /two\.ts:4 .*without its \.ts ending/,
      /context\.ts:1 the room context imports a value from transport/,
      /old\.ts:1 lies in the room attic/,
      /context\.ts:2 the room context imports node:http/,
      /text\.ts:1 .*serializer\/emit imports from .*serializer\/read/,
    ],
  },
  {
    gate: 'silenced',
    files: {
      'packages/plugin/src/index.ts': `/* oxlint-disable typescript/no-explicit-any -- a whole file */
// oxlint-disable-next-line typescript/no-explicit-any
export const name: any = 'plugin'
// oxlint-disable-next-line
export const other: any = 'plugin'
// @ts-expect-error
export const third: number = 'plugin'
`,
    },
    reports: [
      /index\.ts:1 silences a rule for more than one line/,
      /index\.ts:2 silences a rule without saying why/,
      /index\.ts:4 silences every rule/,
      /index\.ts:6 expects a type error without/,
    ],
  },
  {
    gate: 'sizes',
    files: {
      'packages/plugin/src/index.ts': `// A comment is no code.

export const name: string = 'plugin'
`,
      'packages/schema/src/one.ts': `export const one: string = 'schema'
`,
      'scripts/sizes.json': `{
  "bearer-auth": { "lines": 100, "files": 10 },
  "cloister": { "lines": 1000, "files": 100 },
  "plugin": { "lines": 0, "files": 1 },
  "schema": { "lines": 100, "files": 1 }
}
`,
    },
    reports: [
      /packages\/fastify has no figures/,
      /plugin +1 lines \+1 \(more than 3 %\)/,
      /schema .*2 files \+1/,
    ],
  },
  {
    gate: 'unused',
    files: {
      'packages/bearer-auth/package.json': `{
  "name": "@cloister/bearer-auth",
  "version": "0.0.0",
  "type": "module",
  "exports": { ".": { "@cloister/source": "./src/index.ts", "types": "./dist/index.d.ts", "default": "./dist/index.js" } },
  "dependencies": { "left-pad": "1.3.0" }
}
`,
      'packages/plugin/src/attic.ts': `export const attic: string = 'nobody imports this file'
`,
      'packages/schema/src/index.ts': `import { used } from './parts.ts'
export const name: string = used
`,
      'packages/schema/src/parts.ts': `export const used: string = 'schema'
export const unusedExport: string = 'nobody imports this'
`,
    },
    reports: [/packages\/plugin\/src\/attic\.ts/, /unusedExport/, /left-pad/],
  },
  {
    gate: 'dependencies',
    files: {
      'docs/dependencies.md': `| dependency | used by | why |
|---|---|---|
| \`oxc-parser\` | workspace | Parses the modules. |
| \`vitest\` | workspace | Runs the tests. |
| \`right-pad\` | nobody | This line has lost its dependency. |
`,
      'package-lock.json': `{
  "packages": {
    "node_modules/left-pad": {
      "version": "1.3.0",
      "resolved": "https://example.org/left-pad-1.3.0.tgz",
      "optionalDependencies": { "left-pad-linux": "1.3.0" }
    }
  }
}
`,
      'packages/bearer-auth/package.json': `{ "name": "@cloister/bearer-auth", "version": "0.0.0", "dependencies": { "left-pad": "1.3.0" } }
`,
    },
    reports: [
      /left-pad .*has no line/,
      /right-pad is no dependency/,
      /left-pad names a download address/,
      /left-pad lacks its optional left-pad-linux/,
    ],
  },
  {
    gate: 'generated',
    before: ['scripts/generated.mjs'],
    files: {
      'docs/errors.md': `# Errors, written by hand
`,
      'packages/cloister/src/types/fastify/names.generated.ts': `// Names, written by hand
`,
      'packages/cloister/src/types/options.generated.ts': `// Options, written by hand
`,
    },
    reports: [
      /names\.generated\.ts is not what the names of Fastify and the table of hooks give/,
      /docs\/errors\.md is not what the catalogue gives/,
      /options\.generated\.ts is not what the table of options gives/,
    ],
  },
  {
    gate: 'docs',
    files: {
      'README.md': `# Examples with faults

\`\`\`ts
const wrong: number = 'text'
\`\`\`

\`\`\`ts run
throw new Error('this example ends badly')
\`\`\`
`,
      'packages/plugin/src/index.ts': `/**
 * A name.
 *
 * @example
 * \`\`\`ts
 * import { missing } from 'cloister'
 * missing()
 * \`\`\`
 */
export const name: string = 'plugin'
`,
    },
    reports: [
      /README\.md\(4,7\): error TS2322/,
      /README\.md:8 the example ends with exit code 1/,
      /src\/index\.ts\(6,10\)/,
    ],
  },
  {
    gate: 'tests',
    files: {
      'packages/cloister/test/names.test.ts': `import { expect, it } from 'vitest'

it('fails', () => {
  expect(1).toBe(2)
})
it('passes', () => {
  expect(1).toBe(1)
})
`,
      'packages/plugin/test/broken.test.ts': `throw new Error('this file cannot be loaded')
`,
    },
    reports: [/broken\.test\.ts/, /^1 passed, 2 failed$/m],
  },
]
