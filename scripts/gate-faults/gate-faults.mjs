// The planted faults: for each gate, files that replace those of the sound workspace, and what it must report.

import { layerFaults } from './layer-faults.mjs'

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
  layerFaults,
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
    gate: 'internal',
    files: {
      'README.md': `# Documents with faults

Import \`BodyContent\` from \`@cloister/schema/internal\`.
`,
      'packages/plugin/src/index.ts': `export type { Part } from './part.ts'
`,
      'packages/plugin/src/part.ts': `/** A part, as in \`@cloister/schema/internal\`. */
export interface Part { readonly name: string }
`,
    },
    reports: [
      /README\.md:3 has @cloister\/schema\/internal/,
      /packages\/plugin\/dist\/part\.d\.ts:1 has @cloister\/schema\/internal/,
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
