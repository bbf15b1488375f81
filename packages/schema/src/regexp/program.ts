import {
  canBeEmpty,
  Unsupported,
  type Assertion,
  type Atom,
  type Lookaround,
  type Part,
  type Pattern,
  type Repetition,
} from './parse.ts'
import { AT } from './places.ts'

/*
 * An expression as instructions, in the order in which JavaScript tries them (Thompson 1968). Repetitions are written
 * out. Lookaheads at the beginning of an anchored expression become programs of their own, about the same text.
 */

/** The first operand of each instruction is `to`, the second `other`. */
export const OP = {
  /** Reads a character of the atom at position `to`. */
  read: 0,
  /** Continues at `to`, and at `other` if that fails. */
  split: 1,
  /** Continues at `to`. */
  jump: 2,
  /** Fails if the assertion with the bit `to` is not `other` at the position. */
  assert: 3,
  /** Keeps the place in the text in slot `to`. */
  save: 4,
  /** Forgets the groups from `to` to before `other`. */
  clear: 5,
  /** Fails where slot `to` has the place in the text: an iteration was empty. */
  progress: 6,
  /** The expression matches. */
  match: 7,
} as const

/** The bit of an assertion, and its required value. */
const ASSERTIONS: Readonly<Record<Assertion, readonly [bit: number, wanted: number]>> = {
  start: [AT.start, AT.start],
  end: [AT.end, AT.end],
  boundary: [AT.boundary, AT.boundary],
  inside: [AT.boundary, 0],
}

/** An instruction, see {@link OP}. */
export interface Instruction {
  readonly op: number
  to: number
  other: number
  /** The slots of the loops around it whose iterations can be empty. */
  readonly loops: readonly number[]
}

/** The instructions of an expression. */
export interface Program {
  readonly instructions: readonly Instruction[]
  /** The atoms of the instructions that read, and the indexes of these. */
  readonly positions: readonly { readonly atom: Atom; readonly at: number }[]
  /** Number of capturing groups, the whole match not counted. */
  readonly groups: number
  /** Number of slots: two for each group and the whole match, then one for each loop. */
  readonly slots: number
}

/** A program that must match a text, or must not. */
export interface Demand {
  readonly program: Program
  readonly isNegative: boolean
}

/** With more positions each character of a text would take too long. */
const MAX_POSITIONS = 512
const MAX_INSTRUCTIONS = 8 * MAX_POSITIONS

/**
 * Writes the program of an expression, and those of the lookaheads behind the `^` at its beginning: these see the same
 * text.
 * @throws {@link Unsupported}
 */
export function programsOf({ part, flags, groups }: Pattern): Demand[] {
  const parts = part.kind === 'sequence' ? part.parts : [part]
  const [start, ...others] = parts
  if (flags.includes('m') || start === undefined || !isStart(start)) {
    return [{ program: new Writer(groups).write(parts), isNegative: false }]
  }
  const end = others.findIndex((next) => !isStart(next) && !isLookahead(next))
  const lookaheads = others.slice(0, end === -1 ? undefined : end).filter(isLookahead)
  const rest = parts.filter((next) => !isLookahead(next) || !lookaheads.includes(next))
  return [
    { program: new Writer(groups).write(rest), isNegative: false },
    ...lookaheads.map((look) => ({
      program: new Writer(groups).write([start, look.part]),
      isNegative: look.isNegative,
    })),
  ]
}

function isStart(part: Part): boolean {
  return part.kind === 'assertion' && part.assertion === 'start'
}

function isLookahead(part: Part): part is Lookaround {
  return part.kind === 'look' && part.isAhead
}

class Writer {
  readonly #instructions: Instruction[] = []
  readonly #positions: { readonly atom: Atom; readonly at: number }[] = []
  readonly #groups: number
  #slots: number
  #loops: readonly number[] = []

  constructor(groups: number) {
    this.#groups = groups
    this.#slots = (groups + 1) * 2
  }

  write(parts: readonly Part[]): Program {
    this.#add(OP.save, 0)
    for (const part of parts) this.#part(part)
    this.#add(OP.save, 1)
    this.#add(OP.match)
    return {
      instructions: this.#instructions,
      positions: this.#positions,
      groups: this.#groups,
      slots: this.#slots,
    }
  }

  #add(op: number, to: number = 0, other: number = 0): Instruction {
    if (this.#instructions.length >= MAX_INSTRUCTIONS) throw tooLarge()
    const instruction = { op, to, other, loops: this.#loops }
    this.#instructions.push(instruction)
    return instruction
  }

  #part(part: Part): void {
    switch (part.kind) {
      case 'atom':
        if (this.#positions.length >= MAX_POSITIONS) throw tooLarge()
        this.#add(OP.read, this.#positions.length)
        this.#positions.push({ atom: part.atom, at: this.#instructions.length - 1 })
        return
      case 'assertion':
        return void this.#add(OP.assert, ...ASSERTIONS[part.assertion])
      case 'sequence':
        return part.parts.forEach((inner) => this.#part(inner))
      case 'choice':
        return this.#choice(part.parts)
      case 'capture':
        this.#add(OP.save, part.group * 2 + 2)
        this.#part(part.part)
        return void this.#add(OP.save, part.group * 2 + 3)
      case 'repetition':
        return this.#repetition(part)
      case 'look':
        throw new Unsupported(
          part.isAhead ? 'a lookahead that is not behind the "^" at its beginning' : 'a lookbehind',
        )
      case 'backreference':
        throw new Unsupported('a backreference')
    }
  }

  #choice(parts: readonly Part[]): void {
    const ends: Instruction[] = []
    parts.forEach((part, index) => {
      if (index === parts.length - 1) return this.#part(part)
      const split = this.#add(OP.split, this.#instructions.length + 1)
      this.#part(part)
      ends.push(this.#add(OP.jump))
      split.other = this.#instructions.length
    })
    for (const end of ends) end.to = this.#instructions.length
  }

  #repetition(repetition: Repetition): void {
    const { part, min, max, isLazy } = repetition
    for (let count = 0; count < min; count++) {
      const before = this.#instructions.length
      this.#iteration(repetition)
      // An empty part can be repeated without end.
      if (this.#instructions.length === before) break
    }
    const exits: Instruction[] = []
    // Each optional iteration is inside the one before.
    for (let count = min; count < max; count++) {
      const split = this.#add(OP.split)
      const body = this.#instructions.length
      if (canBeEmpty(part)) this.#progressing(repetition)
      else this.#iteration(repetition)
      if (isLazy) split.other = body
      else split.to = body
      exits.push(split)
      if (max === Infinity) {
        this.#add(OP.jump, body - 1)
        break
      }
    }
    for (const exit of exits) {
      if (isLazy) exit.to = this.#instructions.length
      else exit.other = this.#instructions.length
    }
  }

  /** An iteration that must not be empty. */
  #progressing(repetition: Repetition): void {
    const outer = this.#loops
    const slot = this.#slots++
    this.#add(OP.save, slot)
    this.#loops = [...outer, slot]
    this.#iteration(repetition)
    this.#loops = outer
    this.#add(OP.progress, slot)
  }

  #iteration({ part, groups: [from, to] }: Repetition): void {
    if (to > from) this.#add(OP.clear, from, to)
    this.#part(part)
  }
}

/** The reason against an expression that is only too large. */
export const TOO_LARGE: string = `more than ${MAX_POSITIONS} places that read a character, counted repetitions written out`

function tooLarge(): Unsupported {
  return new Unsupported(TOO_LARGE)
}
