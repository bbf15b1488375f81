import { compileExpression } from '@cloister/schema/internal'

import { twiceRegistered, type CallSite } from '../call-site.ts'
import { createError } from '../errors.ts'
import type { Adapted } from '../hooks/adapt.ts'
import { parseMediaType, type MediaType } from './media-type.ts'

/** A type that `addContentTypeParser` accepts: a media type, `*`, or a pattern for the header. */
export type ParserKey = string | RegExp

export interface BodyParser {
  /** `string` and `buffer` read the whole body first; `null` passes the stream */
  readonly parseAs: 'string' | 'buffer' | null
  /** its own limit in bytes, or `null` for the route's */
  readonly bodyLimit: number | null
  /** takes the bytes of a text, and decodes them itself */
  readonly takesBytes: boolean
  /** removes a byte order mark, so that the transport may remove it */
  readonly dropsMark: boolean
  readonly parse: Adapted
  /** a parser of the framework, which can be replaced without removing it first */
  readonly isDefault: boolean
  readonly callSite: CallSite | null
}

/** What the parsers of the framework have in common, unless they say otherwise. */
export const OWN_PARSER = {
  bodyLimit: null,
  takesBytes: false,
  dropsMark: false,
  isDefault: true,
  callSite: null,
} as const

/** The parsers that a route may use, resolved across its contexts. */
export interface ParserLookup {
  readonly byMediaType: ReadonlyMap<string, readonly ParserEntry[]>
  readonly patterns: readonly PatternEntry[]
  readonly catchAll: BodyParser | null
}

export interface ParserEntry {
  readonly type: MediaType
  readonly parser: BodyParser
}

interface PatternEntry {
  readonly matches: (mediaType: MediaType) => boolean
  readonly parser: BodyParser
}

export interface NamedParser {
  readonly type: string
  readonly parser: BodyParser
}

interface KeyedParser {
  readonly key: ParserKey
  readonly parser: BodyParser | null
}

const keyText = (key: ParserKey): string => (typeof key === 'string' ? key : key.toString())

/**
 * The body parsers of one context. A context sees the parsers of its parent until it removes them; parents and siblings
 * don't see its changes. A catch-all parser of a context takes precedence over parsers that its parent adds later,
 * because its plugin wants every body without a parser of its own.
 */
export class ParserTable {
  readonly #parent: ParserTable | null
  /** own parsers by key text; `null` for a parser that was removed here */
  readonly #own = new Map<string, KeyedParser>()
  /** the parsers of the parent when the context was created */
  readonly #earlier: ReadonlyMap<string, KeyedParser>
  #parentVisible = true

  constructor(parent: ParserTable | null) {
    this.#parent = parent
    this.#earlier = parent === null ? new Map() : parent.#visible()
  }

  find(key: ParserKey): BodyParser | null {
    const own = this.#own.get(keyText(key))
    if (own !== undefined) return own.parser
    return this.#parentVisible ? (this.#parent?.find(key) ?? null) : null
  }

  /**
   * Adds a parser. A catch-all parser takes the place of another one, so that a plugin can have its own.
   *
   * @throws `CLO_ERR_CTP_ALREADY_PRESENT`, with the call site of the first parser
   */
  add(key: ParserKey, parser: BodyParser): void {
    const existing = this.find(key)
    if (existing !== null && !existing.isDefault && key !== '*') {
      throw createError('CTP_ALREADY_PRESENT', {
        type: keyText(key),
        first: existing.callSite ?? 'the framework itself',
        hint: twiceRegistered(existing.callSite, parser.callSite),
      })
    }
    this.#set(key, parser)
  }

  remove(key: ParserKey): void {
    this.#set(key, null)
  }

  #set(key: ParserKey, parser: BodyParser | null): void {
    const text = keyText(key)
    this.#own.delete(text)
    this.#own.set(text, { key, parser })
  }

  removeAll(): void {
    this.#own.clear()
    this.#parentVisible = false
  }

  #visible(): Map<string, KeyedParser> {
    const all = new Map(this.#inherited())
    for (const [text, entry] of this.#own) {
      all.delete(text)
      all.set(text, entry)
    }
    return all
  }

  #inherited(): Iterable<[string, KeyedParser]> {
    if (this.#parent === null || !this.#parentVisible) return []
    const hasCatchAll = (this.#own.get('*')?.parser ?? null) !== null
    return hasCatchAll ? this.#earlier : this.#parent.#visible()
  }

  /** The parsers of this context alone by key text, in the order in which they were added. */
  get own(): readonly NamedParser[] {
    return namedParsers(this.#own)
  }

  /** The parsers that this context sees, in the order in which they are tried. */
  get visible(): readonly NamedParser[] {
    return namedParsers(this.#visible()).toReversed()
  }

  /** Resolves the parsers at boot. The parser that was added last comes first. */
  toLookup(): ParserLookup {
    const byMediaType = new Map<string, ParserEntry[]>()
    const parts: PatternEntry[] = []
    const patterns: PatternEntry[] = []
    let catchAll: BodyParser | null = null
    for (const { key, parser } of this.#visible().values()) {
      if (parser === null) continue
      if (key === '*') catchAll = parser
      else if (typeof key === 'string') {
        const type = parseMediaType(key)
        if (type.essence.includes('/'))
          byMediaType.set(type.essence, [{ type, parser }, ...(byMediaType.get(type.essence) ?? [])])
        else parts.unshift({ matches: byPart(type.essence), parser })
      } else patterns.unshift({ matches: byPattern(key), parser })
    }
    for (const entries of byMediaType.values()) {
      entries.sort((a, b) => b.type.parameters.size - a.type.parameters.size)
    }
    return { byMediaType, patterns: [...parts, ...patterns], catchAll }
  }
}

function namedParsers(entries: ReadonlyMap<string, KeyedParser>): NamedParser[] {
  return [...entries].flatMap(([type, { parser }]) => (parser === null ? [] : [{ type, parser }]))
}

/** A key that is not a media type, such as `json`, matches the types that contain it. */
function byPart(part: string): PatternEntry['matches'] {
  return ({ essence }) => part !== '' && essence.includes(part)
}

/**
 * Matches type and subtype only, so that a parameter cannot imitate them. A pattern with a semicolon is matched
 * against the whole header.
 */
function byPattern(pattern: RegExp): PatternEntry['matches'] {
  const seesParameters = pattern.source.includes(';')
  const compiled = compileExpression(pattern.source, pattern.flags.replace(/[dg]/g, ''))
  const expression = compiled instanceof RegExp ? pattern : compiled
  return ({ essence, text }) => {
    pattern.lastIndex = 0
    return expression.test(seesParameters ? text : essence)
  }
}

/** Returns whether a media type has a parser other than the catch-all. */
export function hasParser({ byMediaType, patterns }: ParserLookup, type: string): boolean {
  const mediaType = parseMediaType(type)
  return byMediaType.has(type) || patterns.some(({ matches }) => matches(mediaType))
}
