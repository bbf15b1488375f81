import { transform } from 'sucrase'
import type { Place } from './protocol.ts'

/** A module in CommonJS, or what its text has against that. */
export type Compiled =
  | { readonly code: string; readonly problem: null }
  | { readonly code: null; readonly problem: Place & { readonly message: string } }

/** Removes the types of a module and turns its imports into calls of `require`. Lines stay where they are. */
export function compile(text: string): Compiled {
  try {
    const { code } = transform(text, { transforms: ['typescript', 'imports'], disableESTransforms: true })
    return { code, problem: null }
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/ \(\d+:\d+\)$/, '') : String(error)
    const { line, column } = Object(Reflect.get(Object(error), 'loc'))
    return { code: null, problem: { line: Number(line) || 1, column: Number(column) || 1, message } }
  }
}
