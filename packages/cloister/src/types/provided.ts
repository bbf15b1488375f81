import type { HttpPart } from './compilers.ts'
import type { Ctx } from './context.ts'
import type { Answer, RepliesOf, SuccessPayload } from './replies.ts'
import type { RequestParts } from './request.ts'
import type { CheckedParts, Given, GivenReplies, RouteGeneric } from './route-schema.ts'
import type { GivenAnswer } from './route.ts'

// Types that code written for Fastify states in full: `FastifyRequest<…, typeof schema, TypeBoxTypeProvider>`. The type
// argument of the route comes first, then what the type provider makes of a schema, then our own reading of it.

type Or<First, Second> = unknown extends First ? Second : First

/** What a type provider makes of a schema; `unknown` where it makes nothing of it. */
export type CallProvider<Provider, Schema, Member extends 'validator' | 'serializer'> = Provider & {
  readonly schema: Schema
  readonly input: Schema
} extends infer Called
  ? Called extends { readonly [M in Member]: infer Current }
    ? Or<Current, Called extends { readonly output: infer Older } ? Older : unknown>
    : unknown
  : unknown

/** The parts of a request by type argument, else by the schemas of a route. */
export interface ProvidedParts<G, Schemas, Provider> extends RequestParts {
  params: ProvidedPart<Given<G, 'Params'>, Schemas, Provider, 'params'>
  query: ProvidedPart<Given<G, 'Querystring'>, Schemas, Provider, 'querystring'>
  headers: ProvidedPart<LowerKeys<Given<G, 'Headers'>>, Schemas, Provider, 'headers'>
  body: ProvidedPart<Given<G, 'Body'>, Schemas, Provider, 'body'>
}

type LowerKeys<H> = unknown extends H ? H : { [K in keyof H as K extends string ? Lowercase<K> : K]: H[K] }

type ProvidedPart<GivenType, Schemas, Provider, Part extends HttpPart> = unknown extends GivenType
  ? Schemas extends { readonly [P in Part]: infer Schema }
    ? Or<
        CallProvider<Provider, Schema, 'validator'>,
        CheckedParts<Ctx, string, Schemas, RouteGeneric>[Part extends 'querystring' ? 'query' : Part]
      >
    : GivenType
  : GivenType

/** The payloads by status: by type argument, else by the response schemas of a route. */
export type ProvidedReplies<G, Schemas, Provider> =
  unknown extends Given<G, 'Reply'> ? SchemaReplies<Schemas, Provider> : GivenReplies<G>

type SchemaReplies<Schemas, Provider> = Schemas extends { readonly response: infer Response }
  ? RepliesOf<Response, Ctx['schemas']> extends infer Own
    ? { readonly [Status in keyof Own]: ProvidedReply<Own[Status], Response, Status, Provider> }
    : never
  : GivenReplies<RouteGeneric>

type ProvidedReply<Own, Response, Status, Provider> = Status extends keyof Response
  ? Or<CallProvider<Provider, Response[Status], 'serializer'>, Own>
  : Own

/** The payloads that a handler may return; any payload without a type argument and without response schemas. */
export type ProvidedAnswer<G, Schemas, Provider> = Or<
  GivenAnswer<G>,
  Schemas extends { readonly response: unknown }
    ? Answer<SuccessPayload<ProvidedReplies<G, Schemas, Provider>>>
    : unknown
>
