import { hasParser } from '../../body/parser-table.ts'
import { createError } from '../../errors.ts'
import { kExchange } from '../../symbols.ts'
import { varyBy } from '../errors/problem.ts'
import { preferredTypes } from '../preferred-types.ts'
import type { PlanSerializers, RoutePlan, StatusSerializers } from '../route-plan.ts'
import type { ReplyState, RequestState } from '../state.ts'

/**
 * Returns the media types that a route declares for responses of success.
 *
 * @returns `null` if it may send others: a status of success has a schema without a media type, or one for all types
 */
export function offeredTypes(serializers: PlanSerializers | null): readonly string[] | null {
  if (serializers === null) return null
  const { byStatus, byClass } = serializers
  const entries: StatusSerializers[] = []
  for (const [status, entry] of byStatus)
    if (status >= 200 && status < 300 && status !== 204 && status !== 205) entries.push(entry)
  const ofClass = byClass[2]
  if (ofClass !== undefined) entries.push(ofClass)
  const types = new Set<string>()
  for (const { byMediaType } of entries) {
    if (byMediaType === null || byMediaType.has('*/*')) return null
    for (const type of byMediaType.keys()) types.add(type)
  }
  return types.size === 0 ? null : [...types]
}

/**
 * Stage: refuses a request that accepts none of the types that the route responds with (RFC 9110 section 15.5.7).
 *
 * @throws `CLO_ERR_NOT_ACCEPTABLE`
 */
export function negotiate({ offers, label }: RoutePlan, request: RequestState, reply: ReplyState): void {
  const accept = request[kExchange].header('accept')
  if (offers === null || accept === undefined || accept === '*/*') return
  if (preferredTypes(accept, offers).length > 0) return
  varyBy(reply, 'Accept')
  throw createError('NOT_ACCEPTABLE', { route: label, types: offers.join(', ') })
}

/** Methods whose bodies have a field of their own for the types that are read. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['PATCH', 'accept-patch'],
  ['QUERY', 'accept-query'],
])

/** Returns the headers of a 415: the types that a route reads. */
export function acceptedTypes(
  { parsers, validators, app }: Pick<RoutePlan, 'parsers' | 'validators' | 'app'>,
  method: string,
): Readonly<Record<string, string>> | null {
  if (!app.options.contentNegotiation) return null
  const body = validators?.inOrder.find(({ part }) => part === 'body')
  const declared = body?.byMediaType == null ? null : [...body.byMediaType.keys()]
  const read = declared?.filter((type) => parsers.catchAll !== null || hasParser(parsers, type))
  const types = (read ?? [...parsers.byMediaType.keys()]).join(', ')
  if (types === '') return null
  const own = FIELDS.get(method)
  return own === undefined ? { accept: types } : { accept: types, [own]: types }
}
