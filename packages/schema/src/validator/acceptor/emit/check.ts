import { code, join, nothing, type Code } from '../../../codegen/code.ts'
import type { CheckNode, Scalar, TestNode, TypeNode } from '../ir.ts'
import { emitArrayTest } from './array.ts'
import { recordEdit, type Block, type Emission, type Target } from './block.ts'
import { emitObjectTest } from './object.ts'
import { emitFormat, emitNumber, emitString } from './scalars.ts'
import { typeMismatch, typeTest } from './types.ts'
import { emitAnyOf, emitCondition, emitNot, emitOneOf } from './union.ts'

const AND = code` && `
const NULL = code`null`
/** Up to this number of literals are compared one by one. */
const FEW_LITERALS = 16

/** Writes the checks of a node; true when they may assign to the target's variable. */
export function emitCheck(
  emission: Emission,
  { type, tests }: CheckNode,
  target: Target,
  block: Block,
): boolean {
  let reassigned = type !== undefined && emitType(emission, type, target, block)
  for (const test of tests) {
    if (test.kind === 'reference') reassigned = emission.reference(test.target, target, block) || reassigned
    else emitTest(emission, test, target, block)
  }
  return reassigned
}

function emitTest(
  emission: Emission,
  test: Exclude<TestNode, { kind: 'reference' }>,
  target: Target,
  block: Block,
): void {
  switch (test.kind) {
    case 'never':
      block.writer.line(block.reject)
      return
    case 'literals':
      return emitLiterals(test.values, target, block)
    case 'when':
      return emitWhen(emission, test, target, block)
    case 'number':
      return emitNumber(test, target, block)
    case 'string':
      return emitString(test, target, block)
    case 'format':
      return emitFormat(test, target, block)
    case 'length':
    case 'items':
    case 'item':
    case 'contains':
    case 'unique':
      return emitArrayTest(emission, test, target, block)
    case 'given':
    case 'size':
    case 'required':
    case 'names':
    case 'needs':
    case 'dependent':
    case 'properties':
    case 'others':
    case 'additional':
    case 'pattern':
      return emitObjectTest(emission, test, target, block)
    case 'also':
      emission.check(test.node, target, block)
      return
    case 'not':
      return emitNot(emission, test.node, target, block)
    case 'anyOf':
      return emitAnyOf(emission, test.branches, target, block)
    case 'oneOf':
      return emitOneOf(emission, test.branches, target, block)
    case 'condition':
      return emitCondition(emission, test, target, block)
  }
}

function emitWhen(
  emission: Emission,
  { group, tests }: Extract<TestNode, { kind: 'when' }>,
  target: Target,
  block: Block,
): void {
  const test =
    group === 'number' ? code`typeof ${target.value} === 'number'` : typeTest([group], target.value)
  block.writer.block(code`if (${test})`, () => {
    emission.check({ type: undefined, tests }, target, block)
  })
}

function emitType(emission: Emission, node: TypeNode, target: Target, block: Block): boolean {
  const { types, coercion } = node
  const { value } = target
  const { writer, reject } = block
  const otherwise = node.otherwise === 'defer' ? block.defer : reject
  const wrong = typeMismatch(types, value)
  if (coercion === undefined) {
    writer.line(code`if (${wrong}) ${otherwise}`)
    return false
  }
  const refused = writer.use('REFUSED')
  const coerce = writer.bind(coercion.coercer, 'coerce')
  if (coercion.effect === 'replace') {
    const change = recordEdit(emission, block, target)
    writer.line(
      code`if (${wrong}) { if ((${value} = ${coerce}(${value})) === ${refused}) ${reject}; ${change} }`,
    )
    return true
  }
  const unwraps = coercion.unwraps ? code` || (Array.isArray(${value}) && ${value}.length === 1)` : nothing
  const changes = code`${coerce}(${value}) !== ${refused}${unwraps}`
  writer.line(code`if (${wrong}) { if (${changes}) ${block.defer}; ${otherwise} }`)
  return false
}

function emitLiterals(values: readonly Scalar[], { value }: Target, { writer, reject }: Block): void {
  const different =
    values.length <= FEW_LITERALS
      ? join(
          values.map((literal) => code`${value} !== ${literalOf(literal)}`),
          AND,
        )
      : code`!${writer.bind({ kind: 'set', items: values }, 'allowed')}.has(${value})`
  writer.line(code`if (${different}) ${reject}`)
}

function literalOf(value: Scalar): Code {
  return value === null ? NULL : code`${value}`
}
