import { code, nothing, property, type Code } from '../../codegen/code.ts'
import type { CompiledUnit } from '../../codegen/reference.ts'
import type { CodeWriter } from '../../codegen/writer.ts'
import type { SchemaLocation, SchemaScope } from '../../document/location.ts'
import type { CoercerTable } from './coercers.ts'

/*
 * How an acceptor is written. An acceptor either accepts a value, making the changes Ajv would make, or
 * refuses it and has changed nothing. Therefore changes are only noted while it checks and made at the
 * end, and wherever two sub-schemas look at the same value (unions, allOf, patterns, …) it checks
 * without noting any: if Ajv would change something there, the acceptor gives up.
 *
 * Inside a union there are two ways out: `fail` (this branch does not match, and Ajv would have changed
 * nothing up to here) and `defer` (only Ajv can decide). Keywords are checked in Ajv's order, because
 * the first that does not pass decides which of the two it is.
 */

/** What the options of the engine mean for acceptors. */
export interface AcceptorPolicy {
  readonly coercers: CoercerTable
  readonly defaults: boolean
  readonly remove: boolean | 'all'
  /** With all errors wanted Ajv goes on inside a failed branch and may change data there. */
  readonly unions: boolean
  /** Functions for shared schemas without references, by schema and by whether they note changes. */
  readonly shared: WeakMap<object, Map<boolean, SharedCheck>>
}

/** Returns 1 for a value that fits, 0 for one that surely does not, -1 when only Ajv can say. */
export type Check = (value: unknown, log?: unknown[], holder?: { value: unknown }) => number

/** A function that checks one schema wherever it is referred to. */
export interface SharedCheck {
  readonly compiled: CompiledUnit<Check>
  /** It notes changes in the list. */
  readonly logsEdits: boolean
  /** It may put another value into the box. */
  readonly replaces: boolean
}

/** A place in the data. */
export interface Slot {
  readonly object: Code
  readonly key: string | number | Code
  /** Reads it. */
  readonly access: Code
}

/** The value that a schema is applied to. */
export interface Target {
  /** A variable that may be assigned to. */
  readonly value: Code
  /** Where the value stands; undefined at the root of the data and of a function. */
  readonly slot?: Slot
}

/** Where generated statements go, and how they leave. */
export interface Block {
  readonly writer: CodeWriter
  readonly reject: Code
  readonly defer: Code
  /** Coercions, defaults and removals may be noted. */
  readonly mutable: boolean
  /** Inside a union: `fail` and `defer` differ. */
  readonly inUnion: boolean
  /** Where changes are noted for the end of the acceptor; undefined in loops and functions, where `log` is used. */
  readonly edits: PendingEdits | undefined
}

/** Changes that the acceptor makes at its end. */
export interface PendingEdits {
  /** Name of a variable that is set when there is anything to change. */
  readonly changed: Code
  /** The statement that sets it. */
  readonly mark: Code
  /** Statements, run only then. */
  readonly statements: Code[]
}

/** What one acceptor needs while it is written. */
export interface Emission {
  readonly policy: AcceptorPolicy
  readonly scope: SchemaScope
  /** Name of the run-time list of noted changes: object, key, value, object, key, value, … */
  readonly log: Code
  /** Set once something is noted in the list. */
  logged: boolean
  /** Writes the checks of a schema; true when they may assign to the target's variable. */
  schema(location: SchemaLocation, target: Target, block: Block): boolean
  /** Writes a reference, as the call of a function or as checks in place; true as for {@link Emission.schema}. */
  reference(location: SchemaLocation, target: Target, block: Block): boolean
}

/** Thrown while writing when a schema has something that only Ajv knows. */
export class Unsupported extends Error {}

/** A frame without changes, for values that several sub-schemas look at. */
export function withoutEdits(block: Block): Block {
  return block.mutable ? { ...block, mutable: false } : block
}

/** A frame for the body of a loop, whose changes go to the list. */
export function loopBlock(block: Block): Block {
  return block.edits === undefined ? block : { ...block, edits: undefined }
}

/** The place of an item of a list, or of a property whose name is known at run time only. */
export function slotAt(object: Code, key: Code | number): Slot {
  return { object, key, access: code`${object}[${key}]` }
}

/** The place of a property. */
export function slotOf(object: Code, key: string): Slot {
  return { object, key, access: property(object, key) }
}

/** The statement to run where the target's variable gets another value. */
export function recordEdit(emission: Emission, { edits }: Block, { value, slot }: Target): Code {
  if (edits !== undefined) return edits.mark
  if (slot === undefined) return nothing
  emission.logged = true
  return code`${emission.log}.push(${slot.object}, ${slot.key}, ${value})`
}

/** Has a changed variable written to its place at the end of the acceptor, unless that is in the list already. */
export function writeBack({ edits }: Block, { value, slot }: Target): void {
  if (edits === undefined || slot === undefined) return
  // A variable of a branch that was not taken is undefined, and so may be its object.
  const { access } = slot
  edits.statements.push(code`if (${value} !== undefined && ${value} !== ${access}) ${access} = ${value}`)
}
