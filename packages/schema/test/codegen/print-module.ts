import { UnitPrinter } from '../../src/codegen/module.ts'
import type { CompilationUnit } from '../../src/codegen/reference.ts'

/**
 * Prints a unit as an ES module whose default export is its function.
 * @param runtime - the specifier from which the module imports the runtime
 */
export function printModule(unit: CompilationUnit, runtime: string): string {
  const printer = new UnitPrinter()
  const own = printer.print(unit)
  return `${printer.head(runtime)}export default ${own}\n`
}
