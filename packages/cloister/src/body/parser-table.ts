import { compileExpression } from '@cloister/schema'

import { createError } from '../errors.ts'
import type { CallSite } from '../call-site.ts'
import type { Adapted } from '../hooks/adapt.ts'
import { parseMediaType, type MediaType } from './media-type.ts'

/** The types that `addContentTypeParser` accepts: a media type, `*`, or a pattern over the header. */
export type ParserKey = string | RegExp

/** A body parser: what it wants to be given, and the adapted function of the application. */
export interface BodyParser {
  /** `string` and `buffer`: the whole body; `null`: the stream */
  readonly parseAs: 'string' | 'buffer' | null
  /** its own limit in bytes, or `null` for the route's */
  readonly bodyLimit: number | null
  readonly parse: Adapted
  /** a parser of the framework itself, which may be replaced without removing it first */
  readonly isDefault: boolean
  readonly callSite: CallSite | null
}

/** The parsers that a route may use, with the context chain already resolved. */
export interface ParserLookup {
  readonly byMediaType: ReadonlyMap<string, readonly ParserEntry[]>
  readonly patterns: readonly PatternEntry[]
  readonly catchAll: BodyParser | null
}

/** A parser of one media type. */
export interface ParserEntry {
  readonly type: MediaType
  readonly parser: BodyParser
}

interface PatternEntry {
  readonly matches: (mediaType: MediaType) => boolean
  readonly parser: BodyParser
}

/** A parser and the text of its key. */
export interface NamedParser {
  readonly type: string
  readonly parser: BodyParser
}

/** A parser by its key; `null` for a removed one. */
interface KeyedParser {
  readonly key: ParserKey
  readonly parser: BodyParser | null
}

const keyText = (key: ParserKey): string => (typeof key === 'string' ? key : key.toString())

/**
 * The body parsers of one context. It sees its parent's parsers, until it removes them; what it adds or removes is
 * not seen by its parent or siblings. A catch-all of a context wins over parsers that its parent adds later, because
 * its plugin wants every body that has no parser of its own.
 */
export class ParserTable {
  readonly #parent: ParserTable | null
  /** own parsers by key text; `null` for one that was removed here */
  readonly #own = new Map<string, KeyedParser>()
  /** those that the parent had when the context was made */
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

  /** @throws `CLO_ERR_CTP_ALREADY_PRESENT`, naming where the first one was added */
  add(key: ParserKey, parser: BodyParser): void {
    const existing = this.find(key)
    if (existing !== null && !existing.isDefault) {
      throw createError('CTP_ALREADY_PRESENT', {
        type: keyText(key),
        first: existing.callSite?.toString() ?? 'the framework itself',
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

  /** All visible parsers, those of the nearest context last. */
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

  /** The parsers of this context alone, by the text of their keys, in the order in which they were added. */
  get own(): readonly NamedParser[] {
    return namedParsers(this.#own)
  }

  /** The parsers that this context sees, the one that is asked first at the front. */
  get visible(): readonly NamedParser[] {
    return namedParsers(this.#visible()).toReversed()
  }

  /** Resolves the chain once, at boot. The parser that was added last comes first. */
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

/** A key such as `json`, which is not a media type, matches the types that contain it. */
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

/** Whether a parser other than the one for all types takes a media type. */
export function hasParser({ byMediaType, patterns }: ParserLookup, type: string): boolean {
  const mediaType = parseMediaType(type)
  return byMediaType.has(type) || patterns.some(({ matches }) => matches(mediaType))
}
