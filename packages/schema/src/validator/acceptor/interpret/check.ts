import { isSchemaObject } from '../../../guards.ts'
import type { CheckNode, Definition, TestNode, TypeNode } from '../ir.ts'
import type { Accept } from '../../accept.ts'
import { arraySteps } from './array.ts'
import { objectSteps } from './object.ts'
import { propertiesCheck } from './properties.ts'
import { literalsStep, numberSteps, stringSteps } from './scalars.ts'
import { mismatchOf, typeCheck, typedCheck } from './type.ts'
import { tagged } from './tags.ts'
import { AcceptorWalk, acceptorOf } from './walk.ts'
import { anyOfStep, conditionStep, notStep, oneOfStep, sameValue } from './union.ts'
import {
  DEFERRED,
  FITS,
  REJECTED,
  sequence,
  type Check,
  type Interpreter,
  type Step,
  type Tests,
} from './verdict.ts'

/** The closures that the acceptors of an engine share, each made once. */
export interface SharedClosures {
  readonly definitions: WeakMap<Definition, Check>
  /** Checks of types alone, by what they are made of. */
  readonly types: Map<string, Check>
}

/** Nothing shared yet. */
export function createSharedClosures(): SharedClosures {
  return { definitions: new WeakMap(), types: new Map() }
}

/** A definition whose closures are being made. */
interface OpenDefinition {
  check: Check
  /** How many nodes are within each other where it begins. */
  readonly level: number
  /** The most nodes that are open where it refers to itself, from where it begins; 0 when it does not. */
  height: number
}

/** Makes the closures of one acceptor. */
export class AcceptorInterpreter implements Interpreter {
  readonly #shared: SharedClosures
  readonly #own: Map<Definition, Check> = new Map()
  readonly #open: Map<Definition, OpenDefinition> = new Map()
  readonly #walk: AcceptorWalk = new AcceptorWalk()
  #level: number = 0
  /** Whether there are checks that count or keep anything in the course of a walk. */
  #needsWalk: boolean = false

  constructor(shared: SharedClosures) {
    this.#shared = shared
  }

  /** The acceptor of the whole value. */
  root(definition: Definition): Accept {
    const check = this.definition(definition)
    // The definitions hold what has been read; all closures are made.
    this.#own.clear()
    return this.#needsWalk ? this.#walk.acceptorOf(check) : acceptorOf(check)
  }

  /** The check of a definition. Within itself a definition finds a function that calls it. */
  definition(definition: Definition): Check {
    const known = this.#shared.definitions.get(definition) ?? this.#own.get(definition)
    if (known !== undefined) return known
    const outer = this.#open.get(definition)
    if (outer !== undefined) return this.#again(outer)
    const open: OpenDefinition = { check: () => DEFERRED, level: this.#level, height: 0 }
    this.#open.set(definition, open)
    const alone = this.check(definition.node)
    this.#open.delete(definition)
    const check = this.#counted(definition, alone, open.height)
    open.check = check
    this.#own.set(definition, check)
    if (definition.isShared) this.#shared.definitions.set(definition, check)
    return check
  }

  #again(open: OpenDefinition): Check {
    open.height = Math.max(open.height, this.#level - open.level)
    return (value, log, parent, key) => open.check(value, log, parent, key)
  }

  #counted({ use, isShared }: Definition, check: Check, height: number): Check {
    if (isShared || (use === 'edit' && height === 0)) return check
    this.#needsWalk = true
    return this.#walk.counted(check, height, use === 'edit')
  }

  readonly check = (node: CheckNode): Check => {
    this.#level += 1
    const check = this.#checkOf(node)
    this.#level -= 1
    return check
  }

  #checkOf({ type, tests }: CheckNode): Check {
    if (type === undefined) return this.#untyped(tests)
    if (tests.length === 0) return this.#typeAlone(type)
    switch (type.types.length === 1 ? type.types[0] : undefined) {
      case 'string':
        return this.#ofString(type, tests)
      case 'array':
        return this.#ofArray(type, tests)
      case 'object':
        return this.#ofObject(type, tests)
      case 'number':
      case 'integer': {
        const step = sequence(numberSteps(this, tests))
        return typedCheck(type, (value, log) => (typeof value === 'number' ? step(value, log) : REJECTED))
      }
      default:
        return typedCheck(type, this.#all(tests))
    }
  }

  #typeAlone(type: TypeNode): Check {
    const key = `${type.types.join()} ${type.otherwise} ${type.coercion?.effect}`
    const known = this.#shared.types.get(key)
    if (known !== undefined) return known
    const check = typeCheck(type)
    this.#shared.types.set(key, check)
    return check
  }

  /** Where a reference is all there is, the value may be replaced in its place. */
  #untyped(tests: Tests): Check {
    const [only] = tests
    return only?.kind === 'reference' && tests.length === 1 ? this.definition(only.target) : this.#all(tests)
  }

  #all(tests: Tests): Step {
    return sequence(tests.flatMap((test) => this.steps(test)))
  }

  #ofString(type: TypeNode, tests: Tests): Check {
    const step = sequence(stringSteps(this, tests))
    const mismatch = mismatchOf(type, () => check)
    const check: Check = (value, log, parent, key) =>
      typeof value === 'string' ? step(value, log) : mismatch(value, log, parent, key)
    return check
  }

  #ofArray(type: TypeNode, tests: Tests): Check {
    const step = sequence(arraySteps(this, tests))
    const mismatch = mismatchOf(type, () => check)
    const check: Check = (value, log, parent, key) =>
      Array.isArray(value) ? step(value, log) : mismatch(value, log, parent, key)
    return check
  }

  #ofObject(type: TypeNode, tests: Tests): Check {
    const [only] = tests
    if (only?.kind === 'properties' && tests.length === 1) return propertiesCheck(only, type, this.check)
    const step = sequence(objectSteps(this, tests))
    const mismatch = mismatchOf(type, () => check)
    const check: Check = (value, log, parent, key) =>
      isSchemaObject(value) ? step(value, log) : mismatch(value, log, parent, key)
    return check
  }

  /** The tests that are about values of every kind. */
  steps(test: TestNode): Step[] {
    const stepOf = (node: CheckNode): Step => sameValue(this.check(node))
    switch (test.kind) {
      case 'never':
        return [(): typeof REJECTED => REJECTED]
      case 'literals':
        return [literalsStep(test.values)]
      case 'when':
        return this.#when(test)
      case 'reference':
        return [sameValue(this.definition(test.target))]
      case 'also':
        return [stepOf(test.node)]
      case 'not':
        return [notStep(stepOf(test.node))]
      case 'anyOf':
        return [tagged(test.branches, test.branches.map(stepOf), anyOfStep)]
      case 'oneOf':
        return [tagged(test.branches, test.branches.map(stepOf), oneOfStep)]
      case 'condition': {
        const { then, otherwise } = test
        return [conditionStep(stepOf(test.test), then && stepOf(then), otherwise && stepOf(otherwise))]
      }
      default:
        throw new TypeError(`the test "${test.kind}" is not about values of every kind`)
    }
  }

  #when({ group, tests }: Extract<TestNode, { kind: 'when' }>): Step[] {
    switch (group) {
      case 'number': {
        const step = sequence(numberSteps(this, tests))
        return [(value, log) => (typeof value === 'number' ? step(value, log) : FITS)]
      }
      case 'string': {
        const step = sequence(stringSteps(this, tests))
        return [(value, log) => (typeof value === 'string' ? step(value, log) : FITS)]
      }
      case 'array': {
        const step = sequence(arraySteps(this, tests))
        return [(value, log) => (Array.isArray(value) ? step(value, log) : FITS)]
      }
      case 'object': {
        const step = sequence(objectSteps(this, tests))
        return [(value, log) => (isSchemaObject(value) ? step(value, log) : FITS)]
      }
    }
  }
}
