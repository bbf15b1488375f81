import type { CompilationUnit } from '../../src/codegen/reference.ts'
import * as runtime from '../../src/runtime/index.ts'
import { printModule } from '../codegen/print-module.ts'

/**
 * Evaluates a unit by the text of the module that is printed of it: nothing comes from the compiler but the text. The
 * statements of a module are what they are; `import` and `export` become what can be run at once.
 */
export function evaluatePrinted(unit: CompilationUnit): unknown {
  const text = printModule(unit, 'runtime')
  const [, names = '', statements = '', body = ''] =
    /^(?:import \{ (.*?) \} from "runtime"\n)?([^]*?)^export default ([^]*)\n$/m.exec(text) ?? []
  const code = `'use strict'\nconst { ${names} } = runtime\n${statements}return ${body}`
  return new Function('runtime', code)(runtime)
}
