// A small workspace without faults, as files and their text. Every gate must pass on it.
import { SAME } from '../lib/fastify-names.mjs'

/** @type {Readonly<Record<string, string>>} */
export const soundWorkspace = {
  'README.md': `# A workspace without faults

\`\`\`ts run
import { names } from 'cloister'

if (!names.includes('schema')) throw new Error('the example does not hold')
\`\`\`
`,
  'docs/dependencies.md': `| dependency | used by | why |
|---|---|---|
| \`fast-check\` | workspace | Draws random values. |
| \`oxc-parser\` | workspace | Parses the modules. |
| \`rolldown\` | workspace | Bundles the packages. |
| \`vitest\` | workspace | Runs the tests. |
`,
  'docs/errors.md': `# Errors

<!-- Made by \`npm run docs:errors\` from the catalogue in packages/cloister/src/error-table.ts. Do not edit. -->

Every error that the framework raises has a \`code\`, a \`statusCode\` and a \`fault\`: whose mistake it is. The constructors are exported by code, so that a handler can ask \`error instanceof errorCodes.CLO_ERR_NOT_FOUND\`. Words in braces are filled in by the place that raises the error.

Each code is an anchor of this page: a copy of it that you publish can be the \`problemTypeBase\` of [problem details](guide/replies-and-errors.md#problem-details), with \`#\` at its end.

## Mistakes of the client

Raised by a request; the response has the status.

| code | status | message |
|---|---|---|
| <a id="CLO_ERR_NOT_FOUND"></a>\`CLO_ERR_NOT_FOUND\` | 404 | {what} is not here |
`,
  'package.json': `{
  "name": "sound-workspace",
  "private": true,
  "type": "module",
  "workspaces": ["packages/*"],
  "devDependencies": { "fast-check": "0.0.0", "oxc-parser": "0.0.0", "rolldown": "0.0.0", "vitest": "0.0.0" }
}
`,
  'packages/bearer-auth/package.json': `{
  "name": "@cloister/bearer-auth",
  "version": "0.0.0",
  "type": "module",
  "exports": { ".": { "@cloister/source": "./src/index.ts", "types": "./dist/index.d.ts", "default": "./dist/index.js" } },
  "dependencies": {  }
}
`,
  'packages/bearer-auth/src/index.ts': `export const name: string = 'bearer-auth'
`,
  'packages/bearer-auth/tsconfig.json': `{
  "extends": "../../tsconfig.base.json",
  "compilerOptions": { "rootDir": "src", "outDir": "dist", "tsBuildInfoFile": "dist/.tsbuildinfo" },
  "include": ["src"],
  "references": []
}
`,
  'packages/fastify/package.json': `{
  "name": "@cloister/fastify",
  "version": "0.0.0",
  "type": "module",
  "exports": { ".": { "@cloister/source": "./src/index.ts", "types": "./dist/index.d.ts", "default": "./dist/index.js" } },
  "dependencies": {  }
}
`,
  'packages/fastify/src/index.ts': `export const name: string = 'fastify'
`,
  'packages/fastify/tsconfig.json': `{
  "extends": "../../tsconfig.base.json",
  "compilerOptions": { "rootDir": "src", "outDir": "dist", "tsBuildInfoFile": "dist/.tsbuildinfo" },
  "include": ["src"],
  "references": []
}
`,
  'packages/cloister/package.json': `{
  "name": "cloister",
  "version": "0.0.0",
  "type": "module",
  "exports": { ".": { "@cloister/source": "./src/index.ts", "types": "./dist/index.d.ts", "default": "./dist/index.js" } },
  "dependencies": { "@cloister/schema": "0.0.0" }
}
`,
  'packages/cloister/src/error-table.ts': `interface ErrorEntry {
  readonly status: number
  readonly fault: 'client' | 'app' | 'framework'
  readonly message: string
}

/** The errors of the sound workspace. */
export const errorTable: Readonly<Record<string, ErrorEntry>> = {
  NOT_FOUND: { status: 404, fault: 'client', message: '{what} is not here' },
}
`,
  'packages/cloister/src/index.ts': `import { name } from '@cloister/schema'
import { errorTable } from './error-table.ts'
import { REQUEST_HOOKS } from './hooks/names.ts'
import { optionSections, ROUTER_OPTIONS } from './options/option-table.ts'
import { routeOnlyOptions } from './options/rows/routes.ts'

export type { FactoryOptions } from './types/options.generated.ts'

/** The names of the sound workspace. */
export const names: readonly string[] = [
  'cloister',
  name,
  ...Object.keys(errorTable),
  ...Object.keys(optionSections),
  ...ROUTER_OPTIONS,
  ...Object.keys(routeOnlyOptions),
  ...Object.keys(REQUEST_HOOKS),
]
`,
  'packages/cloister/src/hooks/names.ts': `/** The hooks of the sound workspace. */
export const REQUEST_HOOKS: Readonly<Record<string, { readonly form: string }>> = {
  onRequest: { form: 'request' },
}
`,
  'packages/cloister/src/options/rows/routes.ts': `/** The options of routes of the sound workspace. */
export const routeOnlyOptions: Readonly<Record<string, { readonly doc: string }>> = {
  url: { doc: 'Sets the path.' },
}
`,
  'packages/cloister/src/options/option-table.ts': `/** No option of the sound workspace is one of the router. */
export const ROUTER_OPTIONS: readonly string[] = []

interface OptionRow {
  readonly default: unknown
  readonly kind: { readonly type: string; readonly checked: string; readonly expected: string }
  readonly doc: string
  readonly shown?: 'always'
}

/** The options of the sound workspace. */
export const optionSections: Readonly<Record<string, Readonly<Record<string, OptionRow>>>> = {
  server: {
    http2: {
      default: false,
      kind: { type: 'boolean', checked: 'boolean', expected: 'a boolean' },
      doc: 'Serves HTTP/2.',
      shown: 'always',
    },
    serverFactory: {
      default: null,
      kind: { type: '() => Raw', checked: 'unknown', expected: 'a function' },
      doc: 'Creates the server.',
    },
  },
}
`,
  'packages/cloister/src/options/checked-options.generated.ts': `// Made by \`npm run docs:options\` from the rows in packages/cloister/src/options/rows. Do not edit.

/** The checked options of an app, with the defaults of the rows; frozen. */
export interface AppOptions {
  readonly http2: boolean
  readonly serverFactory: unknown
}
`,
  'packages/cloister/src/types/options.generated.ts': `// Made by \`npm run docs:options\` from the rows in packages/cloister/src/options/rows. Do not edit.
import type { RawServer } from './options.ts'

/** Options of the router. The factory accepts them directly and in \`routerOptions\`. */
export interface RouterOptions {

}

/** Options of the factory, without those that hold other options. */
export interface FactoryOptions<Raw extends RawServer = RawServer> extends RouterOptions {
  /**
   * Serves HTTP/2.
   *
   * @default false
   */
  http2?: boolean
  /**
   * Creates the server.
   *
   * @default null
   */
  serverFactory?: () => Raw
}

/** The options that \`app.initialConfig\` always has. */
export type ShownOption =
  | 'http2'
`,
  'packages/cloister/src/types/options.ts': `/** Any server. */
export type RawServer = object
`,
  'docs/options.md': `# Options

<!-- options: server -->

| option | default | what it does | Fastify 4.x |
|---|---|---|---|
| \`http2\` | \`false\` | Serves HTTP/2. | same |
| \`serverFactory\` | \`null\` | Creates the server. | same |

<!-- end of options -->

<!-- options: routes -->
<!-- end of options -->
`,
  'packages/cloister/src/types/fastify/same.generated.ts': `${Object.values(SAME)
    .map((name) => `/** A type of the sound workspace. */\nexport type ${name} = unknown`)
    .join('\n\n')}
`,
  'packages/cloister/test/names.test.ts': `import { expect, it } from 'vitest'
import { names } from '../src/index.ts'

it('names the packages', () => {
  expect(names).toContain('schema')
})
`,
  'packages/cloister/tsconfig.json': `{
  "extends": "../../tsconfig.base.json",
  "compilerOptions": { "rootDir": "src", "outDir": "dist", "tsBuildInfoFile": "dist/.tsbuildinfo" },
  "include": ["src"],
  "references": [{ "path": "../schema" }]
}
`,
  'packages/plugin/package.json': `{
  "name": "@cloister/plugin",
  "version": "0.0.0",
  "type": "module",
  "exports": { ".": { "@cloister/source": "./src/index.ts", "types": "./dist/index.d.ts", "default": "./dist/index.js" } },
  "dependencies": {  }
}
`,
  'packages/plugin/src/index.ts': `export const name: string = 'plugin'
`,
  'packages/plugin/tsconfig.json': `{
  "extends": "../../tsconfig.base.json",
  "compilerOptions": { "rootDir": "src", "outDir": "dist", "tsBuildInfoFile": "dist/.tsbuildinfo" },
  "include": ["src"],
  "references": []
}
`,
  'packages/schema/package.json': `{
  "name": "@cloister/schema",
  "version": "0.0.0",
  "type": "module",
  "exports": { ".": { "@cloister/source": "./src/index.ts", "types": "./dist/index.d.ts", "default": "./dist/index.js" } },
  "dependencies": {  }
}
`,
  'packages/schema/src/index.ts': `export const name: string = 'schema'
`,
  'packages/schema/tsconfig.json': `{
  "extends": "../../tsconfig.base.json",
  "compilerOptions": { "rootDir": "src", "outDir": "dist", "tsBuildInfoFile": "dist/.tsbuildinfo" },
  "include": ["src"],
  "references": []
}
`,
  'scripts/lib/poison-read-buffer.ts': `export {}
`,
  'tsconfig.json': `{
  "files": [],
  "references": [{ "path": "tsconfig.build.json" }, { "path": "tsconfig.test.json" }]
}
`,
  'tsconfig.build.json': `{
  "files": [],
  "references": [
    { "path": "packages/schema" },
    { "path": "packages/plugin" },
    { "path": "packages/cloister" },
    { "path": "packages/bearer-auth" },
    { "path": "packages/fastify" }
  ]
}
`,
}
