/** Schemas of a property beside those under its name: those of patterns, and of undeclared properties. */
import { isSchemaObject } from '../../guards.ts'
import { childLocation, type SchemaLocation } from '../../document/location.ts'
import type { Expression } from '../../regexp/compile.ts'
import { remember } from '../../remember.ts'
import type { Conjunction, Member } from './conjunction.ts'
import { entriesOf, propertiesOf } from './keywords.ts'
import { compilePattern } from './source.ts'

/** A pattern, with the schemas that members have for it. */
export interface PatternPlaces {
  readonly pattern: Expression
  readonly members: readonly Member[]
  readonly locations: readonly SchemaLocation[]
}

/** Returns each pattern of a conjunction once. */
export function patternsOf({ members }: Conjunction): readonly PatternPlaces[] {
  const all = new Map<string, { pattern: Expression; members: Member[]; locations: SchemaLocation[] }>()
  for (const member of members) {
    for (const [source, location] of entriesOf(member, 'patternProperties')) {
      const pattern = (): Expression => compilePattern(source, location.pointer)
      const family = remember(all, source, () => ({ pattern: pattern(), members: [], locations: [] }))
      family.members.push(member)
      family.locations.push(location)
    }
  }
  return [...all.values()]
}

/** Returns the schemas of patterns that match a declared name, and of members for which it is undeclared. */
export function placesBeside(
  name: string,
  { members }: Conjunction,
  patterns: readonly PatternPlaces[],
): SchemaLocation[] {
  const matching = patterns.filter(({ pattern }) => pattern.test(name))
  const undeclaring = members.filter(
    (member) =>
      !Object.hasOwn(propertiesOf(member), name) && !matching.some((one) => one.members.includes(member)),
  )
  return [...matching.flatMap(({ locations }) => locations), ...undeclaring.flatMap(undeclared)]
}

/** Returns the schemas of members without patterns for the properties that no member declares. */
export function openMembers({ members }: Conjunction): SchemaLocation[] {
  return members.filter(({ schema }) => schema['patternProperties'] === undefined).flatMap(undeclared)
}

function undeclared({ schema, location }: Member): SchemaLocation[] {
  return isSchemaObject(schema['additionalProperties'])
    ? [childLocation(location, ['additionalProperties'])]
    : []
}
