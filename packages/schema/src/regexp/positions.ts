import { areSame } from './bits.ts'
import {
  connect,
  either,
  EMPTY,
  endsOf,
  optional,
  powerOf,
  sequence,
  times,
  type Ends,
  type Position,
  type Ways,
} from './ends.ts'
import {
  canBeEmpty,
  type Capture,
  type Lookaround,
  type Part,
  type Pattern,
  type Repetition,
} from './parse.ts'
import { Alphabet, type Characters } from './alphabet.ts'

/*
 * The position automaton of an expression (Glushkov 1961): a state for each position where a character is read, an
 * edge to each position that may come next, and the number of ways along that edge. Two ways along one edge, as in
 * `(a+)+`, are two ways to read the same text.
 */

/** The automaton of an expression. */
export interface Automaton {
  readonly positions: readonly Position[]
  /**
   * The positions after which the expression, or a lookaround in it, has matched, so that no other way is tried.
   */
  readonly accepting: ReadonlySet<Position>
  /** Number of letters of the alphabet. */
  readonly letters: number
  /** Number of elements that may be left out and of alternatives, repetitions counted. */
  readonly optional: number
  /** The most ways in which a part can match without reading a character. */
  readonly mostEmpty: number
}

/** Thrown for an expression that is too large for the analysis. */
export class TooLarge extends Error {}

const MAX_POSITIONS = 400
/** Up to this many repetitions are written out; more count as a loop. */
const MAX_COPIES = 8
/** This many repetitions of a possibly empty part have too many ways to try. */
const MANY_EMPTY = 16

/**
 * The automaton of a parsed expression.
 * @throws {@link TooLarge}
 */
export function automatonOf(pattern: Pattern): Automaton {
  const builder = new AutomatonBuilder(pattern)
  const { first } = builder.read(pattern.part, true)
  builder.acceptRest()
  if (pattern.flags.includes('m') || !isAnchored(pattern.part)) builder.start(first, isFree(pattern.part))
  return builder
}

/** Whether a part can match at the beginning of the text only. */
function isAnchored(part: Part | undefined): boolean {
  if (part?.kind === 'capture') return isAnchored(part.part)
  if (part?.kind === 'choice') return part.parts.every(isAnchored)
  if (part?.kind === 'sequence') return isAnchored(part.parts[0])
  return part?.kind === 'assertion' && part.assertion === 'start'
}

/** Whether a part can match without a character at any position, where assertions and references may fail. */
function isFree(part: Part): boolean {
  return canBeEmpty(part, false)
}

class AutomatonBuilder implements Automaton {
  readonly positions: Position[] = []
  readonly accepting: Set<Position> = new Set()
  optional = 0
  mostEmpty = 1
  readonly #alphabet: Alphabet
  readonly #isMultiline: boolean
  #repetitions = 1
  /** It reads a lookbehind. */
  #isBackward = false
  /** The groups that have surely matched. */
  #matched: ReadonlySet<number> = new Set()
  readonly #captures: Map<number, Part> = new Map()
  /** The groups whose text is read again. */
  #copied: ReadonlySet<number> = new Set()
  /** The groups whose text is compared, which takes time in proportion to its length. */
  readonly #compared: Set<number> = new Set()
  /** Repetitions are read once. */
  #isOnce = false

  constructor({ atoms, flags }: Pattern) {
    this.#alphabet = new Alphabet(atoms, flags, false)
    this.#isMultiline = flags.includes('m')
  }

  get letters(): number {
    return this.#alphabet.size
  }

  /** Adds the start of an expression; one that is not anchored is tried at each position of the text. */
  start(first: Ways, isAccepting: boolean): void {
    const start: Position = { characters: this.#alphabet.all, repetitions: Infinity, next: new Map() }
    this.positions.push(start)
    connect(new Map([[start, 1]]), new Map([[start, 1], ...first]))
    if (isAccepting) this.accepting.add(start)
  }

  /** A part that reads any text up to the end, as `[^]*$` does, has matched before. */
  acceptRest(): void {
    const ends = [...this.accepting].filter(({ characters }) => areSame(characters, this.#alphabet.none))
    for (const position of this.positions) {
      const { characters, next } = position
      if (!next.has(position) || !areSame(characters, this.#alphabet.all)) continue
      if (ends.some((end) => next.has(end))) this.accepting.add(position)
    }
  }

  /** @param isLast - the expression, or the lookaround that the part is in, has matched where the part has */
  read(part: Part, isLast: boolean): Ends {
    switch (part.kind) {
      case 'atom':
        return this.#position(this.#alphabet.of(part.atom), isLast)
      case 'sequence':
        return this.#sequence(part.parts, isLast)
      case 'choice':
        this.optional += part.parts.length - 1
        return either(part.parts.map((one) => this.#apart(() => this.read(one, isLast))))
      case 'capture':
        return this.#capture(part, isLast)
      case 'repetition':
        if (this.#isOnce) return this.#optionally(part)
        return part.min > 0 ? this.#repeat(part, isLast) : this.#apart(() => this.#repeat(part, isLast))
      case 'assertion':
        // The end is a position where no character can be read.
        if (part.assertion !== 'end' || this.#isMultiline) return EMPTY
        return this.#position(this.#alphabet.none, isLast)
      case 'look':
        return this.#look(part)
      case 'backreference':
        return this.#reference(part.group)
    }
  }

  #sequence(parts: readonly Part[], isLast: boolean): Ends {
    // A lookbehind ends with its first part.
    const last = this.#isBackward
      ? parts.findIndex((part) => !isFree(part))
      : parts.findLastIndex((part) => !isFree(part))
    let ends = EMPTY
    parts.forEach((part, index) => {
      const isBehind = this.#isBackward ? index <= last || last === -1 : index >= last
      ends = sequence(ends, this.read(part, isLast && isBehind))
      this.mostEmpty = Math.max(this.mostEmpty, ends.empty)
    })
    return ends
  }

  /** Reads a part that may not be taken: its groups have not surely matched behind it. */
  #apart(read: () => Ends): Ends {
    const matched = this.#matched
    const ends = read()
    this.#matched = matched
    return ends
  }

  #capture({ group, part }: Capture, isLast: boolean): Ends {
    const ends = this.read(part, isLast)
    this.#captures.set(group, part)
    this.#matched = new Set([...this.#matched, group])
    return ends
  }

  /**
   * A group has read one text, so that there is one way to read it again, and none where the group has not matched. To
   * compare it takes as long as a loop, which the first reference counts as: `(a*)\1b` takes as long as `(a*)a*b`. In a
   * repetition, a comparison that succeeds leaves less of the text.
   */
  #reference(group: number): Ends {
    const part = this.#captures.get(group)
    if (part === undefined || this.#copied.has(group)) return EMPTY
    const [outer, wasOnce] = [this.#copied, this.#isOnce]
    this.#copied = new Set([...outer, group])
    this.#isOnce ||= this.#repetitions > 1 || this.#compared.has(group)
    this.#compared.add(group)
    const ends = this.read(part, false)
    this.#copied = outer
    this.#isOnce = wasOnce
    return this.#matched.has(group) ? ends : optional(ends)
  }

  #optionally({ part, min }: Repetition): Ends {
    const ends = this.read(part, false)
    return min > 0 ? ends : optional(ends)
  }

  /** A lookahead reads the following text; then the expression continues from its start. A lookbehind reads back. */
  #look({ part, isAhead, isNegative }: Lookaround): Ends {
    const outer = this.#isBackward
    this.#isBackward = !isAhead
    const read = (): Ends => this.read(part, true)
    const { first } = isNegative ? this.#apart(read) : read()
    this.#isBackward = outer
    return isAhead ? { ...EMPTY, first } : EMPTY
  }

  #position(characters: Characters, isLast: boolean): Ends {
    if (this.positions.length >= MAX_POSITIONS) throw new TooLarge()
    const position: Position = { characters, repetitions: this.#repetitions, next: new Map() }
    this.positions.push(position)
    if (isLast) this.accepting.add(position)
    return endsOf(position)
  }

  #repeat(repetition: Repetition, isLast: boolean): Ends {
    const { part, min, max } = repetition
    if (max > MAX_COPIES) return this.#loop(repetition, isLast)
    // A lookbehind reads what is required first, which is written first here.
    const isEnd = isLast && (!this.#isBackward || min === 0 || isFree(part))
    let required = EMPTY
    for (let copy = 1; copy <= min; copy++) {
      const ends = this.read(part, isEnd && (copy === min || isFree(part)))
      if (ends.empty > 0) this.optional += 1
      required = sequence(required, ends)
    }
    // Each optional iteration is inside the one before, and none of them is empty.
    const further = Array.from({ length: max - min }, () => this.read(part, isEnd))
    this.optional += further.length
    const rest = further.reduceRight((inner, ends) => optional(sequence({ ...ends, empty: 0 }, inner)), EMPTY)
    return sequence(required, rest)
  }

  #loop({ part, min, max }: Repetition, isLast: boolean): Ends {
    // Whether it can match before all required parts were read; parts of one character count as read.
    const isOver = isLast && (min < 2 || isFree(part) || part.kind === 'atom')
    const outer = this.#repetitions
    this.#repetitions *= max
    const ends = this.read(part, isOver)
    this.#repetitions = outer
    if (!isOver) connect(ends.last, ends.first)
    if (min === 0) return optional(ends)
    // Each of the required repetitions may be empty.
    if (ends.empty > 0 && min >= MANY_EMPTY) connect(ends.last, ends.first)
    return { ...ends, empty: powerOf(ends.empty, min), first: times(ends.first, 1 + ends.empty) }
  }
}
