import type { Expression } from '../regexp/compile.ts'
import type * as runtime from '../runtime/index.ts'
import type { Code } from './code.ts'

/** The name of a function or constant of the runtime; it is the same in generated code. */
export type RuntimeName = keyof typeof runtime

/** The origin of a value that generated code uses, from which a module can create it again. */
export type Reference =
  | { readonly kind: 'regexp'; readonly value: Expression }
  | { readonly kind: 'set'; readonly items: readonly unknown[] }
  | { readonly kind: 'literal'; readonly value: unknown }
  /** The result of a runtime function for JSON arguments. */
  | RuntimeCall
  | { readonly kind: 'unit'; readonly compiled: CompiledUnit }

/** A call of a runtime function with JSON arguments. */
export interface RuntimeCall {
  readonly kind: 'call'
  readonly name: RuntimeName
  readonly args: readonly unknown[]
  readonly value: unknown
}

/** A value, with its name in generated code. */
export interface Constant {
  readonly name: Code
  readonly reference: Reference
}

/** The code of one function, ready to be evaluated or printed. */
export interface CompilationUnit {
  /** The names it imports from the runtime. */
  readonly imports: readonly RuntimeName[]
  readonly constants: readonly Constant[]
  /** Statements, the last of which returns the function. */
  readonly body: Code
}

/** A unit and its result. */
export interface CompiledUnit<Value = unknown> {
  readonly unit: CompilationUnit
  readonly value: Value
}
