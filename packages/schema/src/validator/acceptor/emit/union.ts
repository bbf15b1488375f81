import { code, type Code } from '../../../codegen/code.ts'
import type { CheckNode, InPlaceTest } from '../ir.ts'
import type { Block, Emission, Target } from './block.ts'

/** Tries a check; runs `passed` when the value matches and goes on when it does not. */
export function emitTrial(
  emission: Emission,
  node: CheckNode,
  target: Target,
  block: Block,
  passed: Code,
): void {
  const { writer } = block
  const label = writer.unique('trial')
  writer.block(code`${label}:`, () => {
    emission.check(node, target, { ...block, reject: code`break ${label}` })
    writer.line(passed)
  })
}

/** Writes the test that a check fails. */
export function emitNot(emission: Emission, node: CheckNode, target: Target, block: Block): void {
  const { writer, reject } = block
  const matched = writer.unique('matched')
  writer.line(code`var ${matched} = false`)
  emitTrial(emission, node, target, block, code`${matched} = true`)
  writer.line(code`if (${matched}) ${reject}`)
}

/** Writes the test that one of several checks passes. */
export function emitAnyOf(
  emission: Emission,
  branches: readonly CheckNode[],
  target: Target,
  block: Block,
): void {
  const { writer, reject } = block
  const matched = writer.unique('matched')
  writer.line(code`var ${matched} = false`)
  for (const branch of branches) {
    writer.block(code`if (!${matched})`, () =>
      emitTrial(emission, branch, target, block, code`${matched} = true`),
    )
  }
  writer.line(code`if (!${matched}) ${reject}`)
}

/** Writes the test that exactly one of several checks passes. */
export function emitOneOf(
  emission: Emission,
  branches: readonly CheckNode[],
  target: Target,
  block: Block,
): void {
  const { writer, reject } = block
  const count = writer.unique('count')
  writer.line(code`var ${count} = 0`)
  for (const branch of branches) {
    writer.block(code`if (${count} < 2)`, () => emitTrial(emission, branch, target, block, code`${count}++`))
  }
  writer.line(code`if (${count} !== 1) ${reject}`)
}

/** Writes one of two checks, by whether another passes. */
export function emitCondition(
  emission: Emission,
  { test, then, otherwise }: Extract<InPlaceTest, { kind: 'condition' }>,
  target: Target,
  block: Block,
): void {
  const { writer } = block
  const matched = writer.unique('matched')
  writer.line(code`var ${matched} = false`)
  emitTrial(emission, test, target, block, code`${matched} = true`)
  if (then !== undefined) writer.block(code`if (${matched})`, () => emission.check(then, target, block))
  if (otherwise !== undefined)
    writer.block(code`if (!${matched})`, () => emission.check(otherwise, target, block))
}
