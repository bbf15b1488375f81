import { canonicalMediaType, isStandardSchema } from '@cloister/schema'

import type { CallSite } from '../call-site.ts'
import type { Context } from '../context/context.ts'
import { isFunction, isRecord } from '../guards.ts'
import type { PartValidator, RoutePlan, StatusSerializers } from '../request/route-plan.ts'
import { headerStoreOf, storeOf } from '../routes/schemas/compilers.ts'
import type { RouteRecord } from '../routes/route-record.ts'
import { handshakeOf } from '../routes/schemas/plan-messages.ts'
import type {
  SchemaExplanation,
  SerializerExplanation,
  SocketExplanation,
  ValidatorExplanation,
} from '../types/description.ts'
import { sharedCallSite } from './describe-parts.ts'

/** Explains the validators of a route, in the order in which they run. */
export function explainValidators(record: RouteRecord, plan: RoutePlan): ValidatorExplanation[] {
  const explain = ({ part, custom }: PartValidator, mediaType: string | null): ValidatorExplanation => {
    const schema = schemaOf(partOf(record, part), mediaType)
    const explained = explainSchema(record, schema, custom, compilerOf(record, plan, 'validator'))
    const run =
      explained.by === 'engine' ? describeValidator(record, part, schema) : { tier: null, ajv: null }
    return { part, mediaType, ...explained, ...run }
  }
  return (plan.validators?.inOrder ?? []).flatMap((validator) =>
    validator.byMediaType === null
      ? [explain(validator, null)]
      : [...validator.byMediaType].map(([mediaType, one]) => explain(one, mediaType)),
  )
}

/** Explains the serializers of a route: by status first, then by class, then the default. */
export function explainSerializers(record: RouteRecord, plan: RoutePlan): SerializerExplanation[] {
  const { serializers } = plan
  if (serializers === null) return []
  const { byStatus, byClass, fallback } = serializers
  const statuses: (readonly [string, StatusSerializers | null | undefined])[] = [
    ...[...byStatus].map(([status, entry]) => [String(status), entry] as const),
    ...byClass.map((entry, index) => [`${index}xx`, entry] as const),
    ['default', fallback],
  ]
  return statuses.flatMap(([status, entry]) =>
    entry == null
      ? []
      : mediaTypesOf(entry).map((type) => explainSerializer(record, plan, status, type, entry)),
  )
}

/** Explains what a WebSocket route holds its sockets to; `null` for other routes. */
export function explainSocket(record: RouteRecord, plan: RoutePlan): SocketExplanation | null {
  const handshake = handshakeOf(record)
  if (handshake === null) return null
  const explain = (
    part: 'incoming' | 'outgoing',
    kind: 'validator' | 'serializer',
  ): SchemaExplanation | null => {
    if (plan.messages?.[part] == null) return null
    const schema = partOf(record, part)
    return explainSchema(record, schema, isStandardSchema(schema), compilerOf(record, plan, kind))
  }
  const messages = { incoming: explain('incoming', 'validator'), outgoing: explain('outgoing', 'serializer') }
  // The lists in it are those that the application wrote.
  return { ...messages, ...structuredClone(handshake.limits) }
}

/** The media types of a status; `null` stands for all. */
function mediaTypesOf({ serialize, byMediaType }: StatusSerializers): (string | null)[] {
  if (byMediaType !== null) return [...byMediaType.keys()]
  return serialize === null ? [] : [null]
}

function explainSerializer(
  record: RouteRecord,
  plan: RoutePlan,
  status: string,
  mediaType: string | null,
  entry: StatusSerializers,
): SerializerExplanation {
  const responses = partOf(record, 'response')
  const entries = isRecord(responses) ? Object.entries(responses) : []
  const [, response] = entries.find(([key]) => key.toLowerCase() === status) ?? []
  const schema = schemaOf(response, mediaType)
  const serialize = mediaType === null ? entry.serialize : (entry.byMediaType?.get(mediaType) ?? null)
  const { engine, libraries, options } = record.context.app
  const isOfLibrary = isStandardSchema(schema) || (serialize !== null && libraries.validates(serialize))
  const explained = explainSchema(record, schema, isOfLibrary, compilerOf(record, plan, 'serializer'))
  const mode = plan.serialization ?? options.serialization
  const { tier } =
    explained.by === 'engine'
      ? engine.describeSerializer({ schema, store: storeOf(record.context), serialization: mode })
      : { tier: null }
  return { status, mediaType, mode, ...explained, tier }
}

function describeValidator(
  { context }: RouteRecord,
  part: PartValidator['part'],
  schema: unknown,
): Pick<ValidatorExplanation, 'tier' | 'ajv'> {
  const store = part === 'headers' ? headerStoreOf(context, schema) : storeOf(context)
  return context.app.engine.describeValidator({ schema, httpPart: part, store })
}

/** Where a compiler of the application was set. */
interface Compiler {
  readonly callSite: CallSite | null
}

/** The compiler of the application in charge of a route; `null` where it is the framework's engine. */
function compilerOf(
  { options, context, callSite }: RouteRecord,
  plan: RoutePlan,
  kind: 'validator' | 'serializer',
): Compiler | null {
  const name = `${kind}Compiler` as const
  if (plan[name] === null) return null
  if (isFunction(options[name])) return { callSite }
  return context.settingInForce(name) ?? context.settingInForce('schemaController')
}

function explainSchema(
  { context, callSite }: RouteRecord,
  schema: unknown,
  isOfLibrary: boolean,
  compiler: Compiler | null,
): SchemaExplanation {
  const { $ref, $id } = isRecord(schema) ? schema : {}
  const shared = typeof $ref === 'string' ? sharedId($ref) : null
  const key = typeof $id === 'string' ? $id : typeof $ref === 'string' ? $ref : null
  return {
    key,
    callSite: shared === null ? callSite.toString() : callSiteOfShared(context, shared),
    by: compiler !== null ? 'application' : isOfLibrary ? 'standard-schema' : 'engine',
    compiler: compiler?.callSite?.toString() ?? null,
  }
}

/** The `$id` that a reference begins with; `null` for one within its own schema. */
function sharedId(ref: string): string | null {
  const [id = ''] = ref.split('#')
  return id === '' ? null : id
}

function callSiteOfShared(context: Context, id: string): string | null {
  return sharedCallSite(context, id) ?? sharedCallSite(context, `${id}#`)
}

function partOf({ options }: RouteRecord, part: string): unknown {
  const { schema } = options
  if (!isRecord(schema)) return undefined
  return part === 'querystring' ? (schema['querystring'] ?? schema['query']) : schema[part]
}

/** The schema of one media type in a `content` map. */
function schemaOf(given: unknown, mediaType: string | null): unknown {
  if (mediaType === null || !isRecord(given) || !isRecord(given['content'])) return given
  const [, entry] =
    Object.entries(given['content']).find(([type]) => canonicalMediaType(type) === mediaType) ?? []
  return isRecord(entry) ? entry['schema'] : undefined
}
