import type { CallSite } from '../call-site.ts'
import { isRecord, recordOf, type Dictionary } from '../guards.ts'
import { warn } from '../logging/warnings.ts'
import type { DefinedOptions } from './check-route.ts'
import { SCHEMA_PARTS, type RouteOptions } from './route-record.ts'

/** Warns of parameters that are hardly meant. */
export function warnOfPath(path: string, route: string, callSite: CallSite): void {
  const place = { route, callSite }
  const plain = path.replace(/\(.*\)|::/g, '')
  // In OpenAPI a parameter is `{id}`, in other frameworks `<id>`; here these are letters of the path.
  const [braces, name = ''] = /[{<]([A-Za-z_]\w*)[}>]/.exec(plain) ?? []
  if (braces !== undefined) warn('PATH_LITERAL', { ...place, braces, name })
  const [query] = /\?\w+=.*/.exec(plain) ?? []
  if (query !== undefined) warn('PATH_QUERY', { ...place, query })
  const names: readonly string[] = plain.match(/:\w+/g) ?? []
  const twice = names.find((one, index) => names.indexOf(one) < index)
  if (twice !== undefined) warn('PARAM_TWICE', { ...place, name: twice.slice(1) })
}

/** A shortcut names the method and the path, and `register` the prefix, so that these options have no effect there. */
export function warnOfUnread(options: RouteOptions, route: string, read: Dictionary): void {
  const unread = Object.entries(read).filter(
    ([name, value]) => options[name] != null && String(options[name]) !== String(value),
  )
  const names = [...unread.map(([name]) => name), ...('prefix' in options ? ['prefix'] : [])]
  if (names.length > 0) warn('OPTION_UNREAD', { route, names: names.join("', '") })
}

/** Parts of requests under the names of other formats, and where they are read here. */
const FOREIGN_PARTS: Readonly<Record<string, readonly string[]>> = {
  requestBody: ['body'],
  payload: ['body'],
  path: ['params'],
  parameters: ['params', 'querystring', 'query', 'headers'],
  request: ['body', 'params', 'querystring', 'query', 'headers'],
}

/** Warns of schemas that are somewhere else than in OpenAPI or other frameworks, so that they check nothing. */
export function warnOfForeignForms(schema: Dictionary, { route, callSite }: DefinedOptions): void {
  for (const [name, parts] of Object.entries(FOREIGN_PARTS)) {
    if (typeof schema[name] !== 'object' || parts.some((part) => schema[part] !== undefined)) continue
    warn('PART_UNREAD', {
      route,
      name,
      part: parts.filter((part) => part !== 'query').join("', 'schema."),
      callSite,
    })
  }
  const warnIfNested = (part: string, one: unknown): void => {
    if (isRecord(one) && 'schema' in one && Object.keys(one).length === 1 && isRecord(one['schema']))
      warn('SCHEMA_NESTED', { route, part, callSite })
  }
  const { response, ...parts } = schema
  for (const part of SCHEMA_PARTS) if (parts[part] !== undefined) warnIfNested(part, parts[part])
  for (const [key, one] of Object.entries(recordOf(response))) warnIfNested(`response.${key}`, one)
}
