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
  const compiler = compilerOf(record, 'validator', plan.validatorCompiler !== null)
  const explain = (validator: PartValidator, mediaType: string | null): ValidatorExplanation => {
    const { part } = validator
    const schema = schemaOf(partOf(record, part), mediaType)
    const used: Compiler = compiler ?? { by: validator.custom ? 'standard-schema' : 'engine' }
    const run = used.by === 'engine' ? describeValidator(record, part, schema) : { tier: null, ajv: null }
    return Object.freeze({ part, mediaType, ...explainSchema(record, schema, used), ...run })
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
    const compiler = compilerOf(record, kind, plan[`${kind}Compiler`] !== null)
    const by = isStandardSchema(schema) ? 'standard-schema' : 'engine'
    return Object.freeze(explainSchema(record, schema, compiler ?? { by }))
  }
  const messages = { incoming: explain('incoming', 'validator'), outgoing: explain('outgoing', 'serializer') }
  return Object.freeze({ ...messages, ...handshake.limits })
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
  const isValidated = serialize !== null && record.context.app.libraries.validates(serialize)
  const by = isValidated || isStandardSchema(schema) ? 'standard-schema' : 'engine'
  const compiler = compilerOf(record, 'serializer', plan.serializerCompiler !== null) ?? { by }
  const mode = plan.serialization ?? record.context.app.options.serialization
  const run = compiler.by === 'engine' ? describeSerializer(record, schema, mode) : { tier: null }
  return Object.freeze({ status, mediaType, mode, ...explainSchema(record, schema, compiler), ...run })
}

function describeValidator(
  { context }: RouteRecord,
  part: PartValidator['part'],
  schema: unknown,
): Pick<ValidatorExplanation, 'tier' | 'ajv'> {
  const store = part === 'headers' ? headerStoreOf(context, schema) : storeOf(context)
  return context.app.engine.describeValidator({ schema, httpPart: part, store })
}

function describeSerializer(
  { context }: RouteRecord,
  schema: unknown,
  serialization: SerializerExplanation['mode'],
): Pick<SerializerExplanation, 'tier'> {
  return context.app.engine.describeSerializer({ schema, store: storeOf(context), serialization })
}

/** What compiles a schema; `callSite` is that of a compiler of the application. */
interface Compiler {
  readonly by: SchemaExplanation['by']
  readonly callSite?: CallSite | null
}

/** The compiler of the application in charge of a route. */
function compilerOf(
  { options, context, callSite }: RouteRecord,
  kind: 'validator' | 'serializer',
  exists: boolean,
): Compiler | null {
  if (!exists) return null
  const name = `${kind}Compiler` as const
  if (isFunction(options[name])) return { by: 'application', callSite }
  const setting = context.setting(name) === null ? 'schemaController' : name
  return { by: 'application', callSite: context.settingCallSite(setting) }
}

function explainSchema(
  { context, callSite }: RouteRecord,
  schema: unknown,
  compiler: Compiler,
): SchemaExplanation {
  const { $ref, $id } = isRecord(schema) ? schema : {}
  const shared = typeof $ref === 'string' ? sharedId($ref) : null
  const key = typeof $id === 'string' ? $id : typeof $ref === 'string' ? $ref : null
  return {
    key,
    callSite: shared === null ? callSite.toString() : callSiteOfShared(context, shared),
    by: compiler.by,
    compiler: compiler.callSite?.toString() ?? null,
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
