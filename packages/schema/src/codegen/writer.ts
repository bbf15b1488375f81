import { code, name, numbered, Statements, type Code } from './code.ts'

/** How far the numbers of one hint are. */
interface Counter {
  readonly prefix: Code
  count: number
}

const CLOSE = code`}`

/**
 * Collects the statements of one generated unit, hands out names that are unique in it, and binds
 * run-time values (functions, regular expressions, maps) that the code refers to by name.
 */
export class CodeWriter {
  readonly #statements: Statements = new Statements()
  readonly #counters: Map<string, Counter>
  readonly #bound: Map<unknown, Code>

  /** @param parent a writer whose names and bindings this one shares, see {@link CodeWriter.nested} */
  constructor(parent?: CodeWriter) {
    this.#counters = parent === undefined ? new Map<string, Counter>() : parent.#counters
    this.#bound = parent === undefined ? new Map<unknown, Code>() : parent.#bound
  }

  /** Appends one statement (or several, already written). */
  line(statement: Code): this {
    this.#statements.add(statement)
    return this
  }

  /** Appends `head { … }`; `body` writes what stands between the braces. */
  block(head: Code, body: () => void): this {
    this.line(code`${head} {`)
    body()
    return this.line(CLOSE)
  }

  /** A name that is unique in this unit: `hint`, which ends in a letter, and a number. */
  unique(hint: string): Code {
    const counter = this.#counters.get(hint)
    if (counter !== undefined) {
      counter.count += 1
      return numbered(counter.prefix, counter.count)
    }
    const prefix = name(hint)
    this.#counters.set(hint, { prefix, count: 0 })
    return numbered(prefix, 0)
  }

  /** The name under which the unit sees a run-time value; the same value gets the same name. */
  bind(value: unknown, hint: string = 'bound'): Code {
    const known = this.#bound.get(value)
    if (known !== undefined) return known
    const bound = this.unique(hint)
    this.#bound.set(value, bound)
    return bound
  }

  /** Bound values and their names, in the order in which they were bound. */
  bindings(): { readonly names: readonly string[]; readonly values: readonly unknown[] } {
    return {
      names: Array.from(this.#bound.values(), (bound) => bound.text),
      values: Array.from(this.#bound.keys()),
    }
  }

  /** A writer for a piece that is placed later: own statements, same names and bindings. */
  nested(): CodeWriter {
    return new CodeWriter(this)
  }

  /** What has been written so far, as one piece of code. */
  toCode(): Code {
    return this.#statements.toCode()
  }
}
