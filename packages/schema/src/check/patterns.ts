import { isSchemaObject } from '../guards.ts'
import { hasFewChoices } from '../regexp/glance.ts'
import { obstacleTo } from '../regexp/linear.ts'
import { TOO_LARGE } from '../regexp/program.ts'
import { analyse, longestCheapText } from '../regexp/cost.ts'
import type { Ways } from '../regexp/degree.ts'
import { complaint, pointerAt, type Position } from './complaint.ts'

/** The limits of the texts that a schema's expressions are matched against. */
export interface TextLimits {
  /** The longest text that the request part can contain, in characters. */
  readonly longest: number
  /** Whether texts longer than `maxLength` are not matched. With `allErrors`, Ajv matches them nevertheless. */
  readonly maxLengthGuards: boolean
}

/** A regular expression that takes too long on a text that the schema allows. */
export interface SlowPattern {
  readonly pattern: string
  /** The problem, and what to do. */
  readonly reason: string
  readonly pointer: string
  readonly schemaId: string | undefined
}

/** What a check of expressions needs to know, and whom it tells. */
export interface PatternContext {
  readonly limits: TextLimits
  readonly report: (slow: SlowPattern) => void
}

interface PatternUse {
  readonly keyword: 'pattern' | 'patternProperties'
  readonly source: string
  /** The schema whose `maxLength` limits the texts. */
  readonly limiting: unknown
  readonly remedy: (length: number) => string
}

/**
 * Finds expressions that take too long on a text of the allowed length, and that need V8 because no automaton can
 * run them. Throws for exponential time and for too large counts, and reports the others.
 * @throws {@link SchemaError} `SCHEMA_INVALID`
 */
export function checkPatterns(
  schema: Record<string, unknown>,
  position: Position,
  { limits, report }: PatternContext,
): void {
  for (const use of patternsOf(schema)) {
    const { cost, isCertain } = analyse(use.source, 'u')
    const longest = longestCheapText(cost)
    const isCheap = longest >= longestTextOf(use, limits)
    if (isCheap && (isCertain || hasFewChoices(use.source))) continue
    const obstacle = obstacleTo(use.source, 'u')
    if (obstacle === undefined) continue
    if (isCheap) {
      // Too large for the analysis too, so its time is not known.
      if (obstacle === TOO_LARGE) throw complaint(position, use.keyword, unknown(use.source))
      continue
    }
    if (cost === 'exponential') throw complaint(position, use.keyword, exponential(use.source, obstacle))
    const reason = polynomial(use, cost, { longest, obstacle }, limits)
    // Smaller counts say nearly the same; a reference or a lookbehind may have no substitute.
    if (obstacle === TOO_LARGE) throw complaint(position, use.keyword, reason)
    report({
      pattern: use.source,
      reason: `"${use.keyword}" ${reason}`,
      pointer: `${pointerAt(position)}/${use.keyword}`,
      schemaId: position.entry.document.sharedId,
    })
  }
}

function patternsOf(schema: Record<string, unknown>): PatternUse[] {
  const { pattern, patternProperties, propertyNames, type } = schema
  const uses: PatternUse[] = []
  const admitsText =
    type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'))
  if (typeof pattern === 'string' && admitsText) {
    const remedy = (length: number): string => `put "maxLength": ${length} or less beside it`
    uses.push({ keyword: 'pattern', source: pattern, limiting: schema, remedy })
  }
  if (!isSchemaObject(patternProperties)) return uses
  for (const source of Object.keys(patternProperties)) {
    const remedy = (length: number): string =>
      `put "propertyNames": { "maxLength": ${length} } with that length or less beside it`
    uses.push({ keyword: 'patternProperties', source, limiting: propertyNames, remedy })
  }
  return uses
}

function longestTextOf({ limiting }: PatternUse, { longest, maxLengthGuards }: TextLimits): number {
  const maxLength = isSchemaObject(limiting) ? limiting['maxLength'] : undefined
  return maxLengthGuards && typeof maxLength === 'number' ? Math.min(maxLength, longest) : longest
}

function unknown(source: string): string {
  return `has the expression ${JSON.stringify(source)}, which is too large to know how its time grows with a text, and which cannot be run in linear time because it has ${TOO_LARGE}; use smaller counts or fewer repeated groups, or give Ajv an engine without backtracking by ajv.customOptions.code.regExp`
}

function exponential(source: string, obstacle: string): string {
  return `has the expression ${JSON.stringify(source)}, whose time doubles with each character of a text that does not match, and which cannot be run in linear time because it has ${obstacle}; write it without that, or so that a text can be read in one way only, as "^a+(?:-a+)*$" instead of "^(a+-?)*$", or give Ajv an engine without backtracking by ajv.customOptions.code.regExp`
}

function polynomial(
  use: PatternUse,
  ways: Ways,
  { longest, obstacle }: { readonly longest: number; readonly obstacle: string },
  limits: TextLimits,
): string {
  const { source, remedy } = use
  const advice = limits.maxLengthGuards
    ? remedy(longest)
    : 'leave ajv.customOptions.allErrors off, with which no "maxLength" guards it'
  return `has the expression ${JSON.stringify(source)}, whose time grows with ${growthOf(ways)} of a text that does not match, and which cannot be run in linear time because it has ${obstacle}, so that one long text blocks the process; ${advice}, or write it without that, or so that a text can be read in one way only`
}

function growthOf({ unlimited, limited }: Ways): string {
  if (unlimited === 1) return `${limited} times the length`
  if (unlimited === 2) return 'the square of the length'
  return `the ${unlimited === 3 ? 'cube' : `${unlimited}th power`} of the length`
}
