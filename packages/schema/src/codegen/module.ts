import { code, join, jsonLiteral, name as identifier, quote, regexp, type Code } from './code.ts'
import type { Expression } from '../regexp/compile.ts'
import type { CompilationUnit, Constant, Reference, RuntimeName } from './reference.ts'

/** The runtime function that creates expressions other than `RegExp`. */
const COMPILER = 'compileExpression'

/**
 * Prints a unit as an ES module whose default export is its function. The module generates no code when it loads.
 * @param runtime - the specifier from which the module imports the runtime
 * @throws TypeError when the schema contains a value that JSON cannot represent, such as a function
 */
export function printModule(unit: CompilationUnit, runtime: string): string {
  const names = [...importsOf(unit, new Set())].sort()
  const imports = names.length === 0 ? '' : `import { ${names.join(', ')} } from ${quote(runtime)}\n`
  return `${imports}export default ${printUnit(unit).text}\n`
}

function importsOf({ imports, constants }: CompilationUnit, names: Set<RuntimeName>): Set<RuntimeName> {
  for (const name of imports) names.add(name)
  for (const { reference } of constants) {
    if (reference.kind === 'call') names.add(reference.name)
    if (reference.kind === 'regexp' && !isNative(reference.value)) names.add(COMPILER)
    if (reference.kind === 'unit') importsOf(reference.compiled.unit, names)
  }
  return names
}

function printUnit({ constants, body }: CompilationUnit): Code {
  return code`(() => {\n${join([...constants.map(printConstant), body], code`\n`)}\n})()`
}

function printConstant({ name, reference }: Constant): Code {
  return code`const ${name} = ${printReference(reference)}`
}

function printReference(reference: Reference): Code {
  switch (reference.kind) {
    case 'regexp':
      return printExpression(reference.value)
    case 'set':
      return code`new Set(${jsonLiteral(reference.items)})`
    case 'literal':
      return jsonLiteral(reference.value)
    case 'call':
      return code`${identifier(reference.name)}(${join(reference.args.map(jsonLiteral), code`, `)})`
    case 'unit':
      return printUnit(reference.compiled.unit)
  }
}

function printExpression(expression: Expression): Code {
  const { source, flags } = expression
  return isNative(expression) ? regexp(source, flags) : code`${identifier(COMPILER)}(${source}, ${flags})`
}

function isNative(expression: Expression): boolean {
  return expression instanceof RegExp
}
