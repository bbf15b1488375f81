import { code, join, jsonLiteral, name as identifier, numbered, quote, regexp, type Code } from './code.ts'
import type { Expression } from '../regexp/compile.ts'
import type { CompilationUnit, CompiledUnit, Reference, RuntimeName } from './reference.ts'

/** The runtime function that creates expressions other than `RegExp`. */
const COMPILER = 'compileExpression'

/**
 * Prints units for one module, which generates no code when it loads. Each unit that others share is there once, and is
 * made on first use.
 */
export class UnitPrinter {
  readonly #imports: Set<RuntimeName> = new Set()
  readonly #shared: Map<CompiledUnit, Code> = new Map()
  readonly #statements: string[] = []

  /**
   * Returns the expression that makes the function of a unit.
   * @throws TypeError when the schema contains a value that JSON cannot represent, such as a function
   */
  print(unit: CompilationUnit): string {
    return this.#unit(unit).text
  }

  /**
   * The beginning of the module, once all its units are printed.
   * @param further - functions of the runtime that it imports
   */
  head(runtime: string, further: Iterable<RuntimeName> = []): string {
    const names = [...new Set([...this.#imports, ...further])].sort()
    const imports = names.length === 0 ? '' : `import { ${names.join(', ')} } from ${quote(runtime)}\n`
    const once = this.#shared.size === 0 ? '' : ONCE
    return `${imports}${once}${this.#statements.join('')}`
  }

  #unit({ imports, constants, body }: CompilationUnit): Code {
    for (const one of imports) this.#imports.add(one)
    const lines = constants.map(({ name, reference }) => code`const ${name} = ${this.#reference(reference)}`)
    return code`(() => {\n${join([...lines, body], code`\n`)}\n})()`
  }

  #reference(reference: Reference): Code {
    switch (reference.kind) {
      case 'regexp':
        return this.#expression(reference.value)
      case 'set':
        return code`new Set(${jsonLiteral(reference.items)})`
      case 'literal':
        return jsonLiteral(reference.value)
      case 'call':
        this.#imports.add(reference.name)
        return code`${identifier(reference.name)}(${join(reference.args.map(jsonLiteral), code`, `)})`
      case 'unit':
        return code`${this.#sharedUnit(reference.compiled)}()`
    }
  }

  #sharedUnit(compiled: CompiledUnit): Code {
    const known = this.#shared.get(compiled)
    if (known !== undefined) return known
    const made = this.#unit(compiled.unit)
    // No name within a unit begins so.
    const own = numbered(identifier('$unit'), this.#shared.size)
    this.#shared.set(compiled, own)
    this.#statements.push(`const ${own.text} = /* @__PURE__ */ once(() => ${made.text})\n`)
    return own
  }

  #expression(expression: Expression): Code {
    const { source, flags } = expression
    if (expression instanceof RegExp) return regexp(source, flags)
    this.#imports.add(COMPILER)
    return code`${identifier(COMPILER)}(${source}, ${flags})`
  }
}

const ONCE = 'const once = (make) => { let made; return () => (made ??= make()) }\n'
