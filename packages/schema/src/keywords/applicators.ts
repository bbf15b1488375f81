import { code } from '../codegen/code.ts'
import { acceptsAnything } from '../document/known-keywords.ts'
import { emitMatch } from '../walk/code.ts'
import { holds } from '../walk/evaluated.ts'
import type { SchemaNode } from '../walk/node.ts'
import { applyAll, keyword, type Keyword } from '../walk/part.ts'
import { ASK, NO, YES } from '../walk/look.ts'
import { FAILED, PASSED } from '../walk/walk.ts'

/* `not`, `allOf` and `if` apply schemas to the value itself. Unions are in `unions.ts`. */

/** The keyword `not`. */
export const not: Keyword = keyword({
  names: ['not'],
  read: (node) => node.child('not'),
  below: (excluded) => [excluded],
  message: () => 'must NOT be valid',
  fits({ read }, data, look) {
    const verdict = read.plan.lookAsBranch(data, look)
    return verdict === ASK ? ASK : verdict === YES ? NO : YES
  },
  apply(part, _data, value, mode, frame) {
    const start = frame.errors.length
    if (holds(part.read, value, frame)) return frame.fail(part, {}, value, mode)
    frame.errors.length = start
    return PASSED
  },
  emit({ read }, target, block) {
    block.writer.line(code`if (${emitMatch(read, target, block)}) ${block.reject}`)
  },
})

/** The keyword `allOf`. */
export const allOf: Keyword = keyword({
  names: ['allOf'],
  read(node) {
    const parts = (node.listBelow('allOf') ?? []).filter(({ location }) => !acceptsAnything(location.schema))
    return parts.length === 0 ? undefined : parts
  },
  below: (parts) => parts,
  fits({ read }, data, look) {
    for (const { plan } of read) {
      const verdict = plan.look(data, look, undefined, '')
      if (verdict !== YES) return verdict
    }
    return YES
  },
  apply: ({ read }, _data, value, mode, frame) =>
    applyAll(read, mode, (part) => part.apply(value, mode, frame)),
  emit: ({ read }, target, block) => read.forEach((part) => part.emit(target, block)),
})

interface Condition {
  readonly test: SchemaNode
  readonly then: SchemaNode | undefined
  readonly otherwise: SchemaNode | undefined
}

/**
 * The keywords `if`, `then` and `else`. Ajv does not check the condition if no clause restricts values, see
 * `notedBranches`.
 */
export const condition: Keyword = keyword({
  names: ['if', 'then', 'else'],
  read(node): Condition | undefined {
    const isVoid = node.schema['if'] === undefined || (node.isOpen('then') && node.isOpen('else'))
    return isVoid ? undefined : { test: node.child('if'), then: node.at('then'), otherwise: node.at('else') }
  },
  below: ({ test, then, otherwise }) => [test, then, otherwise],
  message: ({ failingKeyword }: { readonly failingKeyword: 'then' | 'else' }) =>
    `must match "${failingKeyword}" schema`,
  fits({ read: { test, then, otherwise } }, data, look) {
    const verdict = test.plan.lookAsBranch(data, look)
    if (verdict === ASK) return ASK
    const clause = verdict === YES ? then : otherwise
    return clause === undefined ? YES : clause.plan.look(data, look, undefined, '')
  },
  apply(part, _data, value, mode, frame) {
    const { test, then, otherwise } = part.read
    const start = frame.errors.length
    const isMet = holds(test, value, frame)
    frame.errors.length = start
    const clause = isMet ? then : otherwise
    if (clause === undefined || clause.apply(value, mode, frame)) return PASSED
    // An error of the clause has already ended the function, unless a referenced schema reported it.
    if (frame.hasEnded) return FAILED
    return frame.failBehind(part, { failingKeyword: isMet ? 'then' : 'else' }, value, mode)
  },
  emit({ read: { test, then, otherwise } }, target, block) {
    const { writer } = block
    const matched = emitMatch(test, target, block)
    if (then !== undefined) writer.block(code`if (${matched})`, () => then.emit(target, block))
    if (otherwise !== undefined) writer.block(code`if (!${matched})`, () => otherwise.emit(target, block))
  },
})
