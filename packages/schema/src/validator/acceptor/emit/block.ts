import { code, nothing, property, type Code } from '../../../codegen/code.ts'
import type { CodeWriter } from '../../../codegen/writer.ts'
import type { CheckNode, Definition } from '../ir.ts'

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

/** A block of generated statements: where they are written, and how they exit. */
export interface Block {
  readonly writer: CodeWriter
  readonly reject: Code
  readonly defer: Code
  /** Where edits are noted for the end of the acceptor; undefined in loops and functions, where `log` is used. */
  readonly edits: PendingEdits | undefined
}

/** Edits that the acceptor makes at its end. */
export interface PendingEdits {
  /** Name of a variable that is true when there are edits. */
  readonly changed: Code
  /** The statement that sets it. */
  readonly mark: Code
  /** Statements that make the edits. */
  readonly statements: Code[]
}

/** What the emitters of one unit share. */
export interface Emission {
  /** Name of the run-time list of noted edits: object, key, value, object, key, value, … */
  readonly log: Code
  /** Set once the code records an edit in the list. */
  logged: boolean
  /** Writes the checks of a node; true when they may assign to the target's variable. */
  check(node: CheckNode, target: Target, block: Block): boolean
  /** Writes a definition, as the call of a function or as checks in place; true as for {@link Emission.check}. */
  reference(definition: Definition, target: Target, block: Block): boolean
}

/** A block for the body of a loop, whose edits go to the list. */
export function loopBlock(block: Block): Block {
  return block.edits === undefined ? block : { ...block, edits: undefined }
}

/** The position of an item, or of a property whose name is known at run time only. */
export function slotAt(object: Code, key: Code | number): Slot {
  return { object, key, access: code`${object}[${key}]` }
}

/** The position of a property. */
export function slotOf(object: Code, key: string): Slot {
  return { object, key, access: property(object, key) }
}

/** Returns the statement to run where the target's variable gets another value. */
export function recordEdit(emission: Emission, { edits }: Block, { value, slot }: Target): Code {
  if (edits !== undefined) return edits.mark
  if (slot === undefined) return nothing
  emission.logged = true
  return code`${emission.log}.push(${slot.object}, ${slot.key}, ${value})`
}

/**
 * Writes a changed variable back to its position at the end of the acceptor, unless the list has that edit.
 */
export function writeBack({ edits }: Block, { value, slot }: Target): void {
  if (edits === undefined || slot === undefined) return
  // In a branch that did not run, the variable is undefined, and so may be its object.
  const { access } = slot
  edits.statements.push(code`if (${value} !== undefined && ${value} !== ${access}) ${access} = ${value}`)
}
