/** Regular expressions of schemas. */
import { SerializerBuildError } from '../build-error.ts'

/** A pattern of a schema: with the `u` flag as JSON Schema asks, without it when it needs that. */
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
