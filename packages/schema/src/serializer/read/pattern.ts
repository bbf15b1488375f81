/** Regular expressions of schemas. */
import { compileExpression, type Expression } from '../../regexp/compile.ts'
import { SerializerBuildError } from '../build-error.ts'

/** Compiles a pattern: with the `u` flag as JSON Schema requires, without it when it is valid only so. */
export function compilePattern(source: string, pointer: string): Expression {
  try {
    return compileExpression(source, 'u')
  } catch {
    try {
      return compileExpression(source)
    } catch {
      throw new SerializerBuildError(`${JSON.stringify(source)} is not a regular expression`, pointer)
    }
  }
}
