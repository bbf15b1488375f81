import { code, join, nothing, property, type Code } from '../codegen/code.ts'
import type { CodeWriter } from '../codegen/writer.ts'
import type { TestedType } from '../document/json-types.ts'
import { JUDGE, UNION, type Use } from './look.ts'
import type { SchemaNode } from './node.ts'

/*
 * Generated code accepts a value with its edits, or leaves it unchanged, like a look. It notes edits while it checks,
 * and makes them at its end. A block has two exits, for NO and ASK, which are the same at the end of the function.
 */

/** A position in the data: a property or an item. */
export interface Slot {
  readonly object: Code
  readonly key: string | number | Code
  /** The expression that reads it. */
  readonly access: Code
}

/** The value that a check is applied to. */
export interface Target {
  /** A variable that may be assigned to. */
  readonly value: Code
  /** Where the value is; undefined at the root of the data and of a function. */
  readonly slot?: Slot
}

/** Edits that are made at the end of the whole function. */
export interface PendingEdits {
  /** Name of a variable that is true when there are edits. */
  readonly changed: Code
  /** Statements that make the edits. */
  readonly statements: Code[]
}

/** The common state of the blocks of one unit. */
export interface Emission {
  /** Name of the run-time list of noted edits: object, key, value, object, key, value, … */
  readonly log: Code
  /** Set once the code records an edit in the list. */
  isLogged: boolean
  /** Writes a schema that is referred to, as a call or in place; true when it may replace the value. */
  reference(node: SchemaNode, target: Target, block: Block): boolean
}

/** A block of generated statements: where they are written, how they exit, and what they may do with the value. */
export interface Block {
  readonly writer: CodeWriter
  readonly reject: Code
  readonly defer: Code
  readonly use: Use
  /** Undefined in loops and functions, where the list is used. */
  readonly edits: PendingEdits | undefined
  readonly unit: Emission
}

/** A block for the body of a loop, whose edits go to the list. */
export function loopBlock(block: Block): Block {
  return block.edits === undefined ? block : { ...block, edits: undefined }
}

/** A block that tries a branch of a union. If all errors are wanted, a failing branch may edit the value. */
export function branchBlock(branch: SchemaNode, block: Block, reject: Code): Block {
  if (block.use === JUDGE) return { ...block, reject, defer: reject }
  const isKnown = !branch.context.editsOnFailure
  return { ...block, use: UNION, edits: undefined, reject: isKnown ? reject : block.defer }
}

/** Tries a branch; runs `passed` if the value matches, and continues otherwise. */
export function emitTrial(branch: SchemaNode, target: Target, block: Block, passed: Code): void {
  const { writer } = block
  const label = writer.unique('trial')
  writer.block(code`${label}:`, () => {
    branch.emit(target, branchBlock(branch, block, code`break ${label}`))
    writer.line(passed)
  })
}

/** Writes the checks of the value at a position, in a loop over keys or items. */
export function emitAt(schema: SchemaNode, slot: Slot, outer: Block): void {
  const block = loopBlock(outer)
  const value = block.writer.unique('v')
  block.writer.line(code`var ${value} = ${slot.access}`)
  schema.emit({ value, slot }, block)
}

/** Tries a schema; returns the variable that says whether the value matches. */
export function emitMatch(schema: SchemaNode, target: Target, block: Block): Code {
  const matched = block.writer.unique('matched')
  block.writer.line(code`var ${matched} = false`)
  emitTrial(schema, target, block, code`${matched} = true`)
  return matched
}

/** The position of an item, or of a property whose name is known at run time only. */
export function slotAt(object: Code, key: Code): Slot {
  return { object, key, access: code`${object}[${key}]` }
}

/** The position of a property. */
export function slotOf(object: Code, key: string): Slot {
  return { object, key, access: property(object, key) }
}

/** Returns the statement to run where the target's variable gets another value. */
export function recordEdit({ edits, unit }: Block, { value, slot }: Target): Code {
  if (edits !== undefined) return code`${edits.changed} = true`
  if (slot === undefined) return nothing
  unit.isLogged = true
  return code`${unit.log}.push(${slot.object}, ${slot.key}, ${value})`
}

/** Writes a changed variable back to its position at the end of the function, unless the list has that edit. */
export function writeBack({ edits }: Block, { value, slot }: Target): void {
  if (edits === undefined || slot === undefined) return
  // In a branch that did not run, the variable is undefined, and so may be its object.
  const { access, key, object } = slot
  const set = code`try { ${access} = ${value} } catch { Reflect.set(${object}, ${key}, ${value}) }`
  edits.statements.push(code`if (${value} !== undefined && ${value} !== ${access}) ${set}`)
}

const TYPE_CODE: Readonly<Record<TestedType, (value: Code) => Code>> = {
  string: (value) => code`typeof ${value} === 'string'`,
  number: (value) => code`typeof ${value} === 'number' && isFinite(${value})`,
  integer: (value) => code`Number.isInteger(${value})`,
  safeInteger: (value) => code`Number.isSafeInteger(${value}) && (${value} !== 0 || 1 / ${value} > 0)`,
  boolean: (value) => code`typeof ${value} === 'boolean'`,
  null: (value) => code`${value} === null`,
  array: (value) => code`Array.isArray(${value})`,
  object: (value) => code`typeof ${value} === 'object' && ${value} !== null && !Array.isArray(${value})`,
}

/** An expression that is true for a finite value of one of the types. */
export function typeCode(types: readonly TestedType[], value: Code): Code {
  return join(
    types.map((type) => (types.length === 1 ? TYPE_CODE[type](value) : code`(${TYPE_CODE[type](value)})`)),
    code` || `,
  )
}
