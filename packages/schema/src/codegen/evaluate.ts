import * as runtime from '../runtime/index.ts'
import type { CompilationUnit, Reference } from './reference.ts'

/**
 * Evaluates a unit and returns what its last `return` statement returns. This is the only place where text becomes
 * code: a {@link CompilationUnit} is made of pieces that cannot hold an unquoted string. Only `compile.ts` may import
 * it.
 */
export function evaluate({ imports, constants, body }: CompilationUnit): unknown {
  const names = [...imports, ...constants.map((constant) => constant.name.text)]
  const values = [
    ...imports.map((name) => runtime[name]),
    ...constants.map((constant) => valueOf(constant.reference)),
  ]
  return new Function(...names, `'use strict'\n${body.text}`)(...values)
}

function valueOf(reference: Reference): unknown {
  switch (reference.kind) {
    case 'regexp':
    case 'literal':
    case 'call':
      return reference.value
    case 'set':
      return new Set(reference.items)
    case 'unit':
      return reference.compiled.value
  }
}
