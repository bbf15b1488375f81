import { code, nothing, property, type Code } from '../codegen/code.ts'
import type { CodeWriter } from '../codegen/writer.ts'
import type { SchemaPlace, SchemaScope } from '../resolve-ref.ts'
import type { CoercionMode } from './coerce.ts'

/*
 * How an acceptor is written. An acceptor either accepts a value, making the changes Ajv would make, or
 * refuses it and has changed nothing. Therefore changes are only noted while it checks and made at the
 * end, and wherever two sub-schemas look at the same value (unions, allOf, patterns, …) it checks
 * without noting any: if Ajv would change something there, the acceptor gives up.
 *
 * Inside a union there are two ways out: `fail` (this branch does not match, and Ajv would have changed
 * nothing up to here) and `giveUp` (nobody but Ajv can say). Keywords are checked in Ajv's order, because
 * the first that does not pass decides which of the two it is.
 */

/** What the options of the engine mean for acceptors. */
export interface AcceptorPolicy {
  readonly coerce: CoercionMode
  readonly defaults: boolean
  readonly remove: boolean | 'all'
  /** With all errors wanted Ajv goes on inside a failed branch and may change data there. */
  readonly unions: boolean
}

/** The value that a schema is applied to. */
export interface Target {
  /** A variable that may be assigned to. */
  readonly value: Code
}

/** Where generated statements go, and how they leave. */
export interface Frame {
  readonly writer: CodeWriter
  readonly fail: Code
  readonly giveUp: Code
  /** Coercions, defaults and removals may be noted. */
  readonly mutable: boolean
  /** Inside a union: `fail` and `giveUp` differ. */
  readonly composite: boolean
  /** Where changes are noted for the end of the acceptor; undefined in loops and functions, where `log` is used. */
  readonly notes: Notes | undefined
}

/** Changes that the acceptor makes at its end. */
export interface Notes {
  /** Name of a variable that is set when there is anything to change. */
  readonly changed: Code
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
  schema(place: SchemaPlace, target: Target, frame: Frame): boolean
}

/** Thrown while writing when a schema has something that only Ajv knows. */
export class Unsupported extends Error {}

/** Noted instead of a value when a property is to be removed. */
export const REMOVED: unique symbol = Symbol('removed')

/** A frame without changes, for values that several sub-schemas look at. */
export function pureFrame(frame: Frame): Frame {
  return frame.mutable ? { ...frame, mutable: false } : frame
}

/** A frame for the body of a loop, whose changes go to the list. */
export function loopFrame(frame: Frame): Frame {
  return frame.notes === undefined ? frame : { ...frame, notes: undefined }
}

/** A place in the data. */
export interface Slot {
  readonly object: Code
  readonly key: string | number | Code
}

/** Reads a place. */
export function readSlot({ object, key }: Slot): Code {
  return typeof key === 'string' ? property(object, key) : code`${object}[${key}]`
}

/** Notes that the variable `value` is to be written to its place if it has got another value meanwhile. */
export function noteValue(emission: Emission, { writer, notes }: Frame, slot: Slot, value: Code): void {
  if (notes !== undefined) {
    // A variable of a branch that was not taken is undefined, and so may be its object.
    notes.statements.push(
      code`if (${value} !== undefined && ${value} !== ${readSlot(slot)}) ${readSlot(slot)} = ${value}`,
    )
    return
  }
  emission.logged = true
  writer.line(
    code`if (${value} !== ${readSlot(slot)}) ${emission.log}.push(${slot.object}, ${slot.key}, ${value})`,
  )
}

/** The statement that tells the end of the acceptor that something has changed. */
export function markChanged({ notes }: Frame): Code {
  return notes === undefined ? nothing : code`${notes.changed} = true`
}
