import type { CodeWriter } from './writer.ts'

/**
 * Compiles a unit and returns what its last `return` statement returns. This is the only place where
 * text becomes code: it takes a {@link CodeWriter}, whose content cannot hold an unquoted string.
 *
 * The type parameter is the caller's promise about the returned function; it cannot be checked here.
 */
export function compileUnit<Compiled>(writer: CodeWriter): Compiled {
  const { names, values } = writer.bindings()
  // oxlint-disable-next-line typescript/no-unsafe-return -- the caller's promise, see above
  return new Function(...names, `'use strict'\n${writer.toCode().text}`)(...values)
}
