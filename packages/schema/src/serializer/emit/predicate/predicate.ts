/** Compiles predicates: each becomes a function of the unit. */
import { code, join, name, type Code } from '../../../codegen/code.ts'
import type { CodeWriter } from '../../../codegen/writer.ts'
import type { PredicateNode, TestNode } from '../../predicate-node.ts'
import { arrayTest } from './array.ts'
import { literalsTest, numberTest, stringTest, typeTest } from './scalar.ts'
import { objectTest } from './object.ts'

/** The part of the emitter that the tests of one predicate use. */
export interface PredicateContext {
  readonly writer: CodeWriter
  readonly value: Code
  /** Calls a predicate. */
  readonly test: (predicate: PredicateNode, value: Code) => Code
  /** Declares a variable of the predicate. */
  readonly local: () => Code
  /** Returns the name of the function of a predicate. */
  readonly nameOf: (predicate: PredicateNode) => Code
}

/** Conditions that must all hold; each is an expression over `value`. */
export type Tests = readonly Code[]

/** Writes predicates into a unit, each once. */
export class PredicateEmitter {
  readonly #writer: CodeWriter
  readonly #known = new Map<PredicateNode, Code>()

  constructor(writer: CodeWriter) {
    this.#writer = writer
  }

  /** The name of the function of a predicate. */
  nameOf(predicate: PredicateNode): Code {
    const known = this.#known.get(predicate)
    if (known !== undefined) return known
    const own = this.#writer.unique('is')
    this.#known.set(predicate, own)
    const locals: Code[] = []
    const tests = this.#tests(predicate, locals)
    const body = this.#writer.nested()
    body.block(code`function ${own}(raw)`, () => {
      if (tests.length > 0) {
        const unwrapped = code`${this.#writer.use('unwrap')}(raw)`
        body.line(
          code`const v = typeof raw === 'object' && raw !== null && raw.toJSON !== undefined ? ${unwrapped} : raw`,
        )
      }
      if (locals.length > 0) body.line(code`let ${join(locals, code`, `)}`)
      body.line(code`return ${tests.length === 0 ? code`true` : join(tests, code` && `)}`)
    })
    this.#writer.line(body.toCode())
    return own
  }

  /** A list of predicates, as one value of the unit. */
  list(names: readonly Code[]): Code {
    const own = this.#writer.unique('tests')
    this.#writer.line(code`const ${own} = [${join(names, code`, `)}]`)
    return own
  }

  #tests({ tests, allowsNull }: PredicateNode, locals: Code[]): Tests {
    const value = name('v')
    const context: PredicateContext = {
      writer: this.#writer,
      value,
      test: (inner, of) => code`${this.nameOf(inner)}(${of})`,
      local: () => {
        const own = this.#writer.unique('p')
        locals.push(own)
        return own
      },
      nameOf: (inner) => this.nameOf(inner),
    }
    const written = tests.flatMap((test) => testsOf(context, test))
    return allowsNull && written.length > 0
      ? [code`(${value} === null || (${join(written, code` && `)}))`]
      : written
  }
}

function testsOf(context: PredicateContext, node: TestNode): Tests {
  const { value, test } = context
  switch (node.kind) {
    case 'never':
      return [code`false`]
    case 'type':
      return [typeTest(context, node.types)]
    case 'literals':
      return [literalsTest(context, node.values)]
    case 'number':
      return numberTest(context, node)
    case 'string':
      return stringTest(context, node)
    case 'array':
      return arrayTest(context, node)
    case 'object':
      return objectTest(context, node)
    case 'matches':
      return [test(node.predicate, value)]
    case 'fails':
      return [code`!${test(node.predicate, value)}`]
    case 'any':
      return [code`(${join(callsOf(context, node.predicates), code` || `)})`]
    case 'one':
      return [code`0 + ${join(callsOf(context, node.predicates), code` + `)} === 1`]
    case 'condition':
      return [
        code`(${test(node.test, value)} ? ${outcome(context, node.then)} : ${outcome(context, node.otherwise)})`,
      ]
  }
}

function callsOf({ test, value }: PredicateContext, predicates: readonly PredicateNode[]): Tests {
  return predicates.map((predicate) => test(predicate, value))
}

function outcome({ test, value }: PredicateContext, predicate: PredicateNode | undefined): Code {
  return predicate === undefined ? code`true` : test(predicate, value)
}
