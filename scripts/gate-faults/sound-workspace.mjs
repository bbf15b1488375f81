// A small workspace without faults, as files and their text. Every gate must be green on it.

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

## Mistakes of the client

Raised by a request; the answer carries the status.

| code | status | message |
|---|---|---|
| \`CLO_ERR_NOT_FOUND\` | 404 | {what} is not here |
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

/** The names of the sound workspace. */
export const names: readonly string[] = ['cloister', name, ...Object.keys(errorTable)]
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
