import { compile } from '../codegen/compile.ts'
import type { CompilationUnit, CompiledUnit } from '../codegen/reference.ts'
import { CodeUnit, type SharedChecks } from '../walk/code-unit.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Accept } from './decider.ts'

/** Compiles the acceptor of a schema to generated code. */
export function compileAcceptor(root: SchemaNode, shared: SharedChecks): CompiledUnit<Accept> {
  return compile<Accept>(writeAcceptor(root, shared))
}

/** Writes the code of the acceptor of a schema. */
export function writeAcceptor(root: SchemaNode, shared: SharedChecks): CompilationUnit {
  return new CodeUnit(shared).write(root)
}
