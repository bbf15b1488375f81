/*
 * Compares a document with the one that an app writes which implements it. Schemas of version 3.0 are brought to the
 * words of 3.1 here too, by rules of this file: what the app uses for that is what is tested.
 */

type Part = Readonly<Record<string, unknown>>

/** What the app wrote differently. */
export interface Difference {
  /** JSON pointer in the document */
  readonly pointer: string
  /** `undefined` where it has nothing */
  readonly was: unknown
  readonly is: unknown
}

export function isRecord(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Lists what differs. The order of keys and the version of the specification do not count. */
export function compareDocuments(original: Part, written: Part): Difference[] {
  const isOld = String(original['openapi']).startsWith('3.0')
  const plain: unknown = JSON.parse(JSON.stringify(written))
  const found: Difference[] = []
  diff(canonical(original, isOld), canonical(isRecord(plain) ? plain : {}, false), '', found)
  return found
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

function canonical(given: Part, isOld: boolean): unknown {
  const { openapi: _, ...document } = given
  const walked = walk(document, isOld)
  if (!isRecord(walked) || !isRecord(walked['paths'])) return walked
  const paths = Object.entries(walked['paths']).map(([path, item]) => [path, ownParameters(item, walked)])
  return { ...walked, paths: Object.fromEntries(paths) }
}

/** Parameters of a path belong to each of its operations. */
function ownParameters(item: unknown, document: Part): unknown {
  if (!isRecord(item)) return item
  const { parameters, ...rest } = item
  const shared: unknown[] = Array.isArray(parameters) ? parameters : []
  const entries = Object.entries(rest).map(([key, operation]) => {
    if (!METHODS.has(key) || !isRecord(operation)) return [key, operation]
    const given = operation['parameters']
    const own: unknown[] = Array.isArray(given) ? given : []
    const names = new Set(own.map((one) => nameOf(one, document)))
    const all = [...shared.filter((one) => !names.has(nameOf(one, document))), ...own]
    return [key, { ...operation, ...(all.length === 0 ? {} : { parameters: all }) }]
  })
  return Object.fromEntries(entries)
}

function nameOf(parameter: unknown, document: Part): string {
  let found = parameter
  if (isRecord(found) && typeof found['$ref'] === 'string') {
    found = found['$ref']
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), document)
  }
  return isRecord(found) ? `${String(found['in'])} ${String(found['name'])}` : ''
}

const DATA = new Set(['example', 'examples', 'default', 'enum'])

/** Walks through the parts of a document that are no schemas. */
function walk(part: unknown, isOld: boolean, key = ''): unknown {
  if (Array.isArray(part)) return part.map((one) => walk(one, isOld))
  if (!isRecord(part)) return part
  const isSchemas = key === 'schemas'
  const entries = Object.entries(part).map(([name, value]) => {
    if (isSchemas || name === 'schema') return [name, schemaOf(value, isOld)]
    return [name, DATA.has(name) ? value : walk(value, isOld, name)]
  })
  return Object.fromEntries(entries)
}

const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

/** A schema in the words of version 3.1. */
function schemaOf(schema: unknown, isOld: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((one) => schemaOf(one, isOld))
  if (!isRecord(schema)) return schema
  if (isOld && typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] }
  const draft: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (MAPS.has(key) && isRecord(value)) {
      draft[key] = Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, schemaOf(one, isOld)]),
      )
    } else draft[key] = DATA.has(key) || key === 'const' ? value : schemaOf(value, isOld)
  }
  if (Array.isArray(draft['type'])) draft['type'] = draft['type'].map(String).toSorted()
  if (!isOld) return draft
  const { nullable, example, ...rest } = draft
  if (nullable === true && typeof rest['type'] === 'string') rest['type'] = [rest['type'], 'null'].toSorted()
  if (example !== undefined) rest['examples'] ??= [example]
  for (const [flag, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (rest[flag] === true) {
      rest[flag] = rest[limit]
      delete rest[limit]
    } else if (rest[flag] === false) delete rest[flag]
  }
  return rest
}

function diff(was: unknown, is: unknown, pointer: string, found: Difference[]): void {
  if (Array.isArray(was) && Array.isArray(is) && was.length === is.length) {
    for (const [index, one] of was.entries()) diff(one, is[index], `${pointer}/${index}`, found)
  } else if (isRecord(was) && isRecord(is)) {
    for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
      diff(was[key], is[key], `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, found)
    }
  } else if (JSON.stringify(was) !== JSON.stringify(is)) found.push({ pointer, was, is })
}
