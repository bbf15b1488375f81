// One declaration in five libraries: each schema says the same. The cells of the table are tests of these.
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { Type } from '@sinclair/typebox'
import { type } from 'arktype'
import type { ReplyOf, RequestOf } from 'cloister'
import * as Schema from 'effect/Schema'
import * as v from 'valibot'
import { z } from 'zod'

const effect = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) =>
  Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(schema))

/** The parts of a route. */
export const PARTS = ['params', 'querystring', 'headers', 'body', 'response'] as const
export type Part = (typeof PARTS)[number]

/** The schemas of one route, in each library. */
export const LIBRARIES = {
  'Zod 4': {
    params: z.object({ id: z.int() }),
    querystring: z.object({ page: z.number(), tags: z.array(z.string()), on: z.boolean() }),
    headers: z.object({ 'X-Count': z.number() }),
    body: z.object({ name: z.string().min(2), age: z.number() }),
    response: { 200: z.object({ email: z.email(), at: z.date(), n: z.number() }) },
  },
  Valibot: {
    params: toStandardJsonSchema(v.object({ id: v.pipe(v.number(), v.integer()) })),
    querystring: toStandardJsonSchema(
      v.object({ page: v.number(), tags: v.array(v.string()), on: v.boolean() }),
    ),
    headers: toStandardJsonSchema(v.object({ 'X-Count': v.number() })),
    body: toStandardJsonSchema(v.object({ name: v.pipe(v.string(), v.minLength(2)), age: v.number() })),
    response: {
      200: toStandardJsonSchema(
        v.object({ email: v.pipe(v.string(), v.email()), at: v.date(), n: v.number() }),
      ),
    },
  },
  ArkType: {
    params: type({ id: 'number.integer' }),
    querystring: type({ page: 'number', tags: 'string[]', on: 'boolean' }),
    headers: type({ 'X-Count': 'number' }),
    body: type({ name: 'string >= 2', age: 'number' }),
    response: { 200: type({ email: 'string.email', at: 'Date', n: 'number' }) },
  },
  TypeBox: {
    params: Type.Object({ id: Type.Integer() }),
    querystring: Type.Object({ page: Type.Number(), tags: Type.Array(Type.String()), on: Type.Boolean() }),
    headers: Type.Object({ 'X-Count': Type.Number() }),
    body: Type.Object({ name: Type.String({ minLength: 2 }), age: Type.Number() }),
    response: {
      200: Type.Object({
        email: Type.String({ format: 'email' }),
        at: Type.String({ format: 'date-time' }),
        n: Type.Number(),
      }),
    },
  },
  'Effect Schema': {
    params: effect(Schema.Struct({ id: Schema.Int })),
    querystring: effect(
      Schema.Struct({ page: Schema.Finite, tags: Schema.Array(Schema.String), on: Schema.Boolean }),
    ),
    headers: effect(Schema.Struct({ 'X-Count': Schema.Finite })),
    body: effect(Schema.Struct({ name: Schema.String.check(Schema.isMinLength(2)), age: Schema.Finite })),
    response: {
      200: effect(
        Schema.Struct({
          email: Schema.String.check(Schema.isPattern(/^[^@]+@[^@]+$/)),
          at: Schema.Date,
          n: Schema.Finite,
        }),
      ),
    },
  },
}

export type Library = keyof typeof LIBRARIES
export const LIBRARY_NAMES: readonly Library[] = ['Zod 4', 'Valibot', 'ArkType', 'TypeBox', 'Effect Schema']

/** The path of the route of a library, in an app that has all of them. */
export const pathOf = (library: Library): string => `/${library.toLowerCase().replace(' ', '-')}`

/** What a handler gets, and may return. */
interface Expected {
  params: { id: number }
  querystring: { page: number; tags: readonly string[]; on: boolean }
  headers: { 'x-count': number }
  body: { name: string; age: number }
}
/** For the types of TypeBox a date in a response is text; both are written. */
interface Payload<L extends Library> {
  email: string
  at: L extends 'TypeBox' ? string : Date
  n: number
}
interface WrongPayload<L extends Library> extends Omit<Payload<L>, 'n'> {
  n: string
}

interface RouteOf<L extends Library> {
  readonly url: '/:id'
  readonly schema: (typeof LIBRARIES)[L]
}
type Request<L extends Library> = RequestOf<RouteOf<L>>
interface Given<L extends Library> {
  params: Request<L>['params']
  querystring: Request<L>['query']
  headers: Pick<Request<L>['headers'], 'x-count'>
  body: Request<L>['body']
}
type Send<L extends Library> = Parameters<ReplyOf<RouteOf<L>>['send']>[0]

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** The same type, but that lists and properties may be readonly. */
type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T
type IsPayload<T, L extends Library> = T extends Send<L> ? true : false

/** The types of a part in each library: `true` where the compiler knows what the handler gets, or may return. */
export type TypeCells = {
  readonly [L in Library]: {
    readonly [P in Part]: P extends keyof Expected
      ? Same<Frozen<Given<L>[P]>, Frozen<Expected[P]>>
      : [IsPayload<Payload<L>, L>, IsPayload<WrongPayload<L>, L>] extends [true, false]
        ? true
        : false
  }
}

/** The compiler fills this in: a cell that is not `true` does not compile. */
export const TYPE_CELLS: TypeCells = {
  'Zod 4': { params: true, querystring: true, headers: true, body: true, response: true },
  Valibot: { params: true, querystring: true, headers: true, body: true, response: true },
  ArkType: { params: true, querystring: true, headers: true, body: true, response: true },
  TypeBox: { params: true, querystring: true, headers: true, body: true, response: true },
  'Effect Schema': { params: true, querystring: true, headers: true, body: true, response: true },
}
