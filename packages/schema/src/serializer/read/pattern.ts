/** Regular expressions of schemas. */
import { SerializerBuildError } from '../build-error.ts'

/** Compiles a pattern: with the `u` flag as JSON Schema requires, without it when it is valid only so. */
export function compilePattern(source: string, pointer: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch {
    try {
      return new RegExp(source)
    } catch {
      throw new SerializerBuildError(`${JSON.stringify(source)} is not a regular expression`, pointer)
    }
  }
}
