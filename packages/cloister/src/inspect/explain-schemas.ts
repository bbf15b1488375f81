import {
  BodyContent,
  isStandardSchema,
  normalizeRouteSchema,
  type NormalizedRouteSchema,
} from '@cloister/schema'

import type { CallSite } from '../call-site.ts'
import type { Context } from '../context/context.ts'
import { isFunction, isRecord } from '../guards.ts'
import { serializersOf } from '../request/members/ad-hoc.ts'
import type { PartValidator, RoutePlan } from '../request/route-plan.ts'
import { headerStoreOf, storeOf } from '../routes/schemas/compilers.ts'
import type { RouteRecord } from '../routes/route-record.ts'
import { handshakeOf } from '../routes/schemas/plan-schemas.ts'
import type {
  SchemaExplanation,
  SerializerExplanation,
  SocketExplanation,
  ValidatorExplanation,
} from '../types/description.generated.ts'
import { sharedCallSite } from './describe-parts.ts'

/** Returns the schemas of a route in full form. The app must be ready. */
export function fullSchemas({ options }: RouteRecord): NormalizedRouteSchema {
  const { schema } = options
  return isRecord(schema) ? normalizeRouteSchema(schema, { shorthand: false }) : {}
}

/** Explains the validators of a route, in the order in which they run. */
export function explainValidators(record: RouteRecord, plan: RoutePlan): ValidatorExplanation[] {
  const { engine } = record.context.app
  const schemas = fullSchemas(record)
  const explain = ({ part, custom }: PartValidator, mediaType: string | null): ValidatorExplanation => {
    const given = schemas[part]
    const schema = given instanceof BodyContent ? given.content.get(mediaType ?? '') : given
    const explained = explainSchema(record, schema, custom, compilerOf(record, plan, 'validator'))
    const store = part === 'headers' ? headerStoreOf(record.context, schema) : storeOf(record.context)
    const run =
      explained.by === 'engine'
        ? engine.describeValidator({ schema, httpPart: part, store })
        : { tier: null, ajv: null }
    return { part, mediaType, ...explained, ...run }
  }
  return (plan.validators?.inOrder ?? []).flatMap((validator) =>
    validator.byMediaType === null
      ? [explain(validator, null)]
      : [...validator.byMediaType].map(([mediaType, one]) => explain(one, mediaType)),
  )
}

/** Explains the serializers of a route: by status first, then by status class, then the default. */
export function explainSerializers(record: RouteRecord, plan: RoutePlan): SerializerExplanation[] {
  const { engine, libraries, options } = record.context.app
  const explain = (status: string, mediaType: string | null, schema: unknown): SerializerExplanation[] => {
    const { serialize = null, byMediaType = null } = serializersOf(plan.serializers, status) ?? {}
    const serializer = mediaType === null ? serialize : byMediaType?.get(mediaType)
    if (serializer == null) return []
    const isOfLibrary = isStandardSchema(schema) || libraries.validates(serializer)
    const explained = explainSchema(record, schema, isOfLibrary, compilerOf(record, plan, 'serializer'))
    const mode = plan.serialization ?? options.serialization
    const { tier } =
      explained.by === 'engine'
        ? engine.describeSerializer({ schema, store: storeOf(record.context), serialization: mode })
        : { tier: null }
    return [{ status, mediaType, mode, ...explained, tier }]
  }
  return [...(fullSchemas(record).response ?? [])]
    .toSorted(([one], [other]) => orderOf(one) - orderOf(other))
    .flatMap(([status, { schema, content }]) =>
      content === undefined
        ? explain(status, null, schema)
        : [...content].flatMap(([mediaType, one]) => explain(status, mediaType, one)),
    )
}

function orderOf(status: string): number {
  return status === 'default' ? Infinity : Number(status.replace('xx', '000'))
}

/** Explains the message schemas and limits of a WebSocket route; `null` for other routes. */
export function explainSocket(record: RouteRecord, plan: RoutePlan): SocketExplanation | null {
  const handshake = handshakeOf(record)
  if (handshake === null) return null
  const schemas = fullSchemas(record)
  const explain = (
    part: 'incoming' | 'outgoing',
    kind: 'validator' | 'serializer',
  ): SchemaExplanation | null =>
    plan.messages?.[part] == null
      ? null
      : explainSchema(record, schemas[part], isStandardSchema(schemas[part]), compilerOf(record, plan, kind))
  const messages = { incoming: explain('incoming', 'validator'), outgoing: explain('outgoing', 'serializer') }
  // Copied, because the lists are those of the application.
  return { ...messages, ...structuredClone(handshake.limits) }
}

/** The place that set a compiler of the application. */
interface Compiler {
  readonly callSite: CallSite | null
}

/** Returns the compiler of the application for a route; `null` if the framework's engine compiles its schemas. */
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

/** Returns the `$id` at the start of a reference; `null` for a reference within its own schema. */
function sharedId(ref: string): string | null {
  const [id = ''] = ref.split('#')
  return id === '' ? null : id
}

function callSiteOfShared(context: Context, id: string): string | null {
  return sharedCallSite(context, id) ?? sharedCallSite(context, `${id}#`)
}
