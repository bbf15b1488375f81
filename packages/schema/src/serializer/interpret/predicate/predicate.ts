/** Predicates as closures. */
import { isObject } from '../../../guards.ts'
import { unwrap } from '../../../runtime/scalars.ts'
import type { PredicateNode, TestNode } from '../../predicate-node.ts'
import { arrayTest } from './array.ts'
import { objectTest } from './object.ts'
import { literalsTest, numberTest, stringTest, typeTest } from './scalar.ts'

/** Whether a value passes. */
export type Test = (value: unknown) => boolean

/** Makes the closure of a predicate within another one. */
export type TestOf = (predicate: PredicateNode) => Test

/** Makes closures of predicates, each once. */
export class PredicateInterpreter {
  readonly #known: Map<PredicateNode, Test> = new Map()

  /** The closure of a predicate. Within itself a predicate finds a function that calls it. */
  readonly testOf = (predicate: PredicateNode): Test => {
    const known = this.#known.get(predicate)
    if (known !== undefined) return known
    const box: { test: Test } = { test: () => true }
    this.#known.set(predicate, (value) => box.test(value))
    box.test = this.#interpret(predicate)
    this.#known.set(predicate, box.test)
    return box.test
  }

  /** Forgets the predicates: all closures are made. */
  finish(): void {
    this.#known.clear()
  }

  #interpret({ tests, allowsNull }: PredicateNode): Test {
    const made = tests.map((test) => testFor(test, this.testOf))
    const [only] = made
    if (only === undefined) return () => true
    if (made.length === 1) {
      return (raw) => {
        if (!isObject(raw)) return (allowsNull && raw === null) || only(raw)
        return only(raw['toJSON'] === undefined ? raw : unwrap(raw))
      }
    }
    return (raw) => {
      const value = isJsonSource(raw) ? unwrap(raw) : raw
      if (allowsNull && value === null) return true
      for (const test of made) if (!test(value)) return false
      return true
    }
  }
}

function isJsonSource(value: unknown): boolean {
  return isObject(value) && value['toJSON'] !== undefined
}

function testFor(node: TestNode, testOf: TestOf): Test {
  switch (node.kind) {
    case 'never':
      return () => false
    case 'type':
      return typeTest(node.types)
    case 'literals':
      return literalsTest(node.values)
    case 'number':
      return numberTest(node)
    case 'string':
      return stringTest(node)
    case 'array':
      return arrayTest(node, testOf)
    case 'object':
      return objectTest(node, testOf)
    case 'matches':
      return testOf(node.predicate)
    case 'fails': {
      const test = testOf(node.predicate)
      return (value) => !test(value)
    }
    case 'any':
      return anyTest(node.predicates.map(testOf))
    case 'one':
      return oneTest(node.predicates.map(testOf))
    case 'condition':
      return conditionTest(node, testOf)
  }
}

function anyTest(tests: readonly Test[]): Test {
  return (value) => {
    for (const test of tests) if (test(value)) return true
    return false
  }
}

/** All are asked, as generated code does: a `toJSON` of the application is called as often. */
function oneTest(tests: readonly Test[]): Test {
  return (value) => {
    let count = 0
    for (const test of tests) if (test(value)) count++
    return count === 1
  }
}

function conditionTest(node: Extract<TestNode, { kind: 'condition' }>, testOf: TestOf): Test {
  const test = testOf(node.test)
  const then = node.then && testOf(node.then)
  const otherwise = node.otherwise && testOf(node.otherwise)
  return (value) => {
    const next = test(value) ? then : otherwise
    return next === undefined || next(value)
  }
}
