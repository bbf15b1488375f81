import * as runtime from '../runtime/index.ts'
import type { CompilationUnit, Reference } from './reference.ts'

/**
 * Evaluates a unit and returns its result. Only here does text become code: a {@link CompilationUnit} consists of
 * pieces that cannot contain an unquoted string. Only `compile.ts` may import this function.
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
  if (reference.kind === 'set') return new Set(reference.items)
  return reference.kind === 'unit' ? reference.compiled.value : reference.value
}

/** Whether the process allows code generation from strings. */
export function canEvaluate(): boolean {
  try {
    new Function('')
    return true
  } catch {
    return false
  }
}
