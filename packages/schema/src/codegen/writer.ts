import type { Expression } from '../regexp/compile.ts'
import { code, join, name, numbered, type Code } from './code.ts'
import type { CompilationUnit, Constant, Reference, RuntimeName } from './reference.ts'

/** The last number given out for a prefix. */
interface Counter {
  readonly prefix: Code
  count: number
}

const CLOSE = code`}`
const LINE_END = code`\n`

interface Names {
  readonly counters: Map<string, Counter>
  readonly imports: Map<RuntimeName, Code>
  /** By value, or by the text of an expression. */
  readonly constants: Map<unknown, Constant>
}

/**
 * Collects the statements of one unit, returns unique names, and records the references of the code: functions of
 * the runtime, and constants (regular expressions, sets, other units).
 */
export class CodeWriter {
  readonly #lines: Code[] = []
  readonly #names: Names

  /** @param parent - a writer that shares its names with this one, see {@link CodeWriter.nested} */
  constructor(parent?: CodeWriter) {
    this.#names =
      parent === undefined ? { counters: new Map(), imports: new Map(), constants: new Map() } : parent.#names
  }

  /** Appends one statement, or several in one piece. */
  line(statement: Code): this {
    this.#lines.push(statement)
    return this
  }

  /** Appends `head { … }`; `body` writes the statements between the braces. */
  block(head: Code, body: () => void): this {
    this.line(code`${head} {`)
    body()
    return this.line(CLOSE)
  }

  /** Returns a unique name in this unit: `hint`, which ends in a letter, and a number. */
  unique(hint: string): Code {
    const counter = this.#names.counters.get(hint)
    if (counter !== undefined) {
      counter.count += 1
      return numbered(counter.prefix, counter.count)
    }
    const prefix = name(hint)
    this.#names.counters.set(hint, { prefix, count: 0 })
    return numbered(prefix, 0)
  }

  /** Returns the name of a runtime value. It ends in a letter, unlike names from {@link CodeWriter.unique}. */
  use(imported: RuntimeName): Code {
    const known = this.#names.imports.get(imported)
    if (known !== undefined) return known
    const own = name(imported)
    this.#names.imports.set(imported, own)
    return own
  }

  /** Returns the name of a constant; the same value gets the same name. */
  bind(reference: Reference, hint: string): Code {
    const key = keyOf(reference)
    const known = this.#names.constants.get(key)
    if (known !== undefined) return known.name
    const constant = { name: this.unique(hint), reference }
    this.#names.constants.set(key, constant)
    return constant.name
  }

  /** Returns code that tests whether a text matches a regular expression. */
  matches(pattern: Expression, text: Code): Code {
    return code`${this.bind({ kind: 'regexp', value: pattern }, 'pattern')}.test(${text})`
  }

  toUnit(): CompilationUnit {
    const { imports, constants } = this.#names
    return { imports: [...imports.keys()], constants: [...constants.values()], body: this.toCode() }
  }

  /** Creates a writer for a piece that is inserted later: its own statements, with the same names and constants. */
  nested(): CodeWriter {
    return new CodeWriter(this)
  }

  toCode(): Code {
    return join(this.#lines, LINE_END)
  }
}

/** Returns a key that is equal for references to the same value. */
function keyOf(reference: Reference): unknown {
  if (reference.kind === 'regexp') return String(reference.value)
  if (reference.kind === 'set') return reference.items
  return reference.kind === 'unit' ? reference.compiled : reference.value
}
