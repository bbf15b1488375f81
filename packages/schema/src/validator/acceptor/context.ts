import { code, nothing, property, type Code } from '../../codegen/code.ts'
import type { CompiledUnit } from '../../codegen/reference.ts'
import type { CodeWriter } from '../../codegen/writer.ts'
import type { SchemaLocation, SchemaScope } from '../../document/location.ts'
import type { CoercerTable } from './coercers.ts'

/*
 * How an acceptor is written. An acceptor either accepts a value, and makes the changes that Ajv would make, or
 * refuses it and has changed nothing. Therefore it only records edits while it checks, and makes them at the end.
 * Where two sub-schemas apply to the same value (unions, allOf, patterns, …) it checks without recording: if Ajv
 * would change something there, the acceptor leaves the decision to Ajv.
 *
 * Inside a union there are two exits: `reject` (this branch does not match, and Ajv would have changed nothing up to
 * here) and `defer` (only Ajv can decide). Keywords are checked in Ajv's order, because the first that fails decides
 * which of the two it is.
 */

/** The consequences of the engine's options for acceptors. */
export interface AcceptorPolicy {
  readonly coercers: CoercerTable
  readonly defaults: boolean
  readonly remove: boolean | 'all'
  /** False with `allErrors`: Ajv then goes on inside a failed branch and may change data there. */
  readonly unions: boolean
  /** Functions of shared schemas without references, by schema and by whether they record edits. */
  readonly shared: WeakMap<object, Map<boolean, SharedCheck>>
}

/** Returns 1 for a valid value, 0 for an invalid one, -1 when only Ajv can decide. */
export type Check = (value: unknown, log?: unknown[], holder?: { value: unknown }) => number

/** A function that checks one schema for all references to it. */
export interface SharedCheck {
  readonly compiled: CompiledUnit<Check>
  /** It records edits in the list. */
  readonly logsEdits: boolean
  /** It may replace the value in the holder. */
  readonly replaces: boolean
}

/** A position in the data: a property or an item. */
export interface Slot {
  readonly object: Code
  readonly key: string | number | Code
  /** The expression that reads it. */
  readonly access: Code
}

/** The value that a schema is applied to. */
export interface Target {
  /** A variable that may be assigned to. */
  readonly value: Code
  /** The position of the value; undefined at the root of the data and of a function. */
  readonly slot?: Slot
}

/** A block of generated statements: where they are written, and how they exit. */
export interface Block {
  readonly writer: CodeWriter
  readonly reject: Code
  readonly defer: Code
  /** Coercions, defaults and removals may be recorded. */
  readonly mutable: boolean
  /** Inside a union, where `reject` and `defer` differ. */
  readonly inUnion: boolean
  /** Edits that the acceptor makes at its end; undefined in loops and functions, which use `log`. */
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

/** The state of one acceptor while it is written. */
export interface Emission {
  readonly policy: AcceptorPolicy
  readonly scope: SchemaScope
  /** Name of the run-time list of recorded edits: object, key, value, object, key, value, … */
  readonly log: Code
  /** Set once the code records an edit in the list. */
  logged: boolean
  /** Writes the checks of a schema; returns true when they may assign to the target's variable. */
  schema(location: SchemaLocation, target: Target, block: Block): boolean
  /** Writes a reference, as a call or inlined; returns true as {@link Emission.schema} does. */
  reference(location: SchemaLocation, target: Target, block: Block): boolean
}

/** Thrown when a schema has a keyword that only Ajv implements. */
export class Unsupported extends Error {}

/** Returns a block without edits, for values that several sub-schemas apply to. */
export function withoutEdits(block: Block): Block {
  return block.mutable ? { ...block, mutable: false } : block
}

/** Returns a block for the body of a loop, which records its edits in the list. */
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
