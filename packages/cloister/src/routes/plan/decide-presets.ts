import { FieldError } from '@cloister/wire/message'

import { remember } from '@cloister/schema/internal'
import type { CallSite } from '../../call-site.ts'
import { createError } from '../../errors.ts'
import { mergeVary, PresetHeaders, type Fields, type PresetChoice } from '../../request/preset-headers.ts'
import type { HeaderChoice, ObservedRoute } from '../../types/observers.ts'
import { routeLabel, type RouteRecord } from '../route-record.ts'

/** What decides the presets of the routes of a context. */
export interface Contribution {
  readonly choose: (route: ObservedRoute) => HeaderChoice | null
  readonly callSite: CallSite
}

/** A preset field, with the call that has decided it. */
export interface PresetField {
  readonly name: string
  readonly value: string
  /** the field of the request that the value depends on; `null` for a constant one */
  readonly dependsOn: string | null
  readonly callSite: CallSite
}

/** The presets of a route, and their fields. */
interface Decided {
  readonly choice: PresetChoice
  readonly fields: readonly PresetField[]
}

/**
 * Decides the presets of a route: those of nearer contexts replace those of their parents.
 *
 * @param contributions - those of its contexts, from the root on
 * @param made - routes with the same fields share them
 * @returns `null` if it has none
 * @throws `CLO_ERR_PRESET_HEADER_INVALID`
 */
export function decidePresets(
  record: RouteRecord,
  isNotFound: boolean,
  contributions: readonly Contribution[],
  made: Map<string, PresetHeaders>,
): Decided | null {
  const { method, url, options } = record
  const route = { method, url: isNotFound ? null : url, options }
  const always: Record<string, string> = {}
  let by: NonNullable<HeaderChoice['by']> | null = null
  const fields: PresetField[] = []
  for (const one of contributions) {
    const { callSite } = one
    const choice = one.choose(route)
    if (choice === null) continue
    const note = (given: HeaderChoice['fields'], dependsOn: string | null): void => {
      for (const [written, value] of Object.entries(given)) {
        const name = written.toLowerCase()
        const replaced = fields.findIndex((field) => field.name === name && field.dependsOn === null)
        if (dependsOn === null && name !== 'vary' && replaced !== -1) fields.splice(replaced, 1)
        fields.push({ name, value, dependsOn, callSite })
      }
    }
    merge(always, choice.fields)
    note(choice.fields, null)
    if (choice.by === undefined) continue
    if (by !== null) throw invalid(record, callSite, 'two fields of requests choose them')
    by = choice.by
    for (const set of choice.by.values.values()) note(set, by.field.toLowerCase())
  }
  if (fields.length === 0) return null
  const make = (more: Fields): PresetHeaders => {
    const all = merge({ ...always }, more)
    try {
      return remember(made, JSON.stringify(all), () => new PresetHeaders(all))
    } catch (cause) {
      if (!(cause instanceof FieldError)) throw cause
      const at = fields.findLast(({ name }) => name === cause.field.toLowerCase())
      throw invalid(record, at?.callSite, `'${cause.field}': ${cause.reason}`, cause)
    }
  }
  const choice = {
    always: make({}),
    field: by === null ? null : by.field.toLowerCase(),
    byValue: new Map([...(by?.values ?? [])].map(([value, set]) => [value, make(set)])),
  }
  return { choice, fields }
}

/** Adds fields to others: the later ones win, except that `Vary` gets the names of both. */
function merge(into: Record<string, string>, fields: Fields): Fields {
  for (const [given, value] of Object.entries(fields)) {
    const name = given.toLowerCase()
    const earlier = into[name]
    into[name] = name === 'vary' && earlier !== undefined ? mergeVary(earlier, value) : value
  }
  return into
}

function invalid(record: RouteRecord, callSite: CallSite | undefined, reason: string, cause?: Error): Error {
  const details = { route: routeLabel(record), reason, callSite: String(callSite) }
  return createError('PRESET_HEADER_INVALID', details, cause === undefined ? {} : { cause })
}
