import { canEvaluate, evaluate } from './evaluate.ts'
import type { CompilationUnit, CompiledUnit } from './reference.ts'

/**
 * Compiles a unit to the function that it returns.
 *
 * The type parameter is the caller's promise about that function; it cannot be checked here.
 */
export function compile<Value>(unit: CompilationUnit): CompiledUnit<Value> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller's promise, see above
  return { unit, value: evaluate(unit) as Value }
}

/** Whether units can be compiled: a process may forbid code generation from strings. */
export function canCompile(): boolean {
  return canEvaluate()
}
