// The planted faults of the layers gate: one for each of its rules.

/** @type {import('./gate-faults.mjs').GateFault} */
export const layerFaults = {
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
}
