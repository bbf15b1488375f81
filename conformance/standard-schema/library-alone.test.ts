// What a library alone accepts and gives for the text of a request is what the handler gets: the framework coerces only
// what the library refuses as text.
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import fc from 'fast-check'
import * as v from 'valibot'
import { z } from 'zod'
import z3 from 'zod/v3'
import { isPeer } from '../harness/subject.ts'
import { describe, expect, it } from 'vitest'

import { membersOf, throughWires } from './text-wires.ts'

type Alone = (value: unknown) => { readonly value: unknown } | null
interface Library {
  readonly schema: object
  readonly alone: Alone
}

const text = fc.constantFrom('true', 'false', '5', 'a', '', 'a,b', 'null', '1', '0', '5.5', 'yes')
const NAMES = ['a', 'b', 'c'] as const

const ZOD_LEAVES: readonly (() => z.ZodType)[] = [
  () => z.string(),
  () => z.string().min(2),
  () => z.string().regex(/^a/),
  () => z.number(),
  () => z.int(),
  () => z.boolean(),
  () => z.enum(['a', 'true']),
  () => z.literal<(string | number | boolean)[]>(['5', 5, true]),
  () => z.null(),
  () => z.array(z.string()),
  () => z.array(z.number()),
  () => z.preprocess((one) => one === 'true', z.boolean()),
  () => z.preprocess((one) => String(one).split(','), z.array(z.string())),
  () => z.transform((one: unknown): string => typeof one).pipe(z.string()),
  () => z.string().transform(Number).pipe(z.number()),
  () => z.string().transform((one) => one.length),
  () => z.coerce.number(),
  () => z.coerce.boolean(),
  () => z.coerce.string(),
  () => z.stringbool(),
  () => z.unknown(),
  () => z.string().refine((one) => one !== 'true'),
  () => z.codec(z.string(), z.number(), { decode: Number, encode: String }),
]
const zodValue: fc.Arbitrary<() => z.ZodType> = fc.letrec<{ value: () => z.ZodType; union: () => z.ZodType }>(
  (tie) => ({
    union: fc
      .array(tie('value'), { minLength: 2, maxLength: 3 })
      .map((all) => (): z.ZodType => z.union(all.map((one) => one()))),
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(...ZOD_LEAVES),
      tie('union'),
      fc
        .tuple(
          tie('value'),
          fc.constantFrom<(one: z.ZodType) => z.ZodType>(
            (one) => one.optional(),
            (one) => one.nullable(),
            (one) => one.readonly(),
            (one) => one.default('x'),
            (one) => one.refine((value) => value !== 5),
            (one) => one.pipe(z.unknown()),
            (one) => z.lazy(() => one),
            (one) => z.preprocess((value) => value, one),
          ),
        )
        .map(
          ([one, wrap]) =>
            (): z.ZodType =>
              wrap(one()),
        ),
    ),
  }),
).value
const zodObject = fc
  .dictionary(fc.constantFrom(...NAMES), zodValue, { minKeys: 1, noNullPrototype: true })
  .map(
    (properties) => (): z.ZodType =>
      z.object(Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, one()]))),
  )
const zodPart = fc.oneof(
  { weight: 3, arbitrary: zodObject },
  {
    weight: 2,
    arbitrary: fc
      .array(zodObject, { minLength: 2, maxLength: 3 })
      .map((all) => () => z.union(all.map((one) => one()))),
  },
  { weight: 1, arbitrary: zodValue.map((one) => () => z.record(z.string(), one())) },
  { weight: 1, arbitrary: zodValue.map((one) => () => z.object({}).catchall(one())) },
  {
    weight: 1,
    arbitrary: fc.tuple(zodObject, zodObject).map(
      ([one, other]) =>
        () =>
          z.intersection(one(), other()),
    ),
  },
  { weight: 1, arbitrary: zodObject.map((one) => () => one().refine((value) => Object(value)['a'] !== 5)) },
  {
    weight: 1,
    arbitrary: zodObject.map((one) => () => z.preprocess((value) => ({ ...Object(value) }), one())),
  },
)
const zod: fc.Arbitrary<Library> = zodPart.map((make) => {
  const schema = make()
  return {
    schema,
    alone: (value) => {
      try {
        return { value: schema.parse(value) }
      } catch {
        return null
      }
    },
  }
})

/** Values of a library in objects and unions of objects. */
function objectsOf(
  leaves: readonly (() => unknown)[],
  object: (properties: Record<string, unknown>) => object,
  union: (all: unknown[]) => object,
  alone: (schema: object, value: unknown) => { readonly value: unknown } | null,
): fc.Arbitrary<Library> {
  const leaf = fc.constantFrom(...leaves)
  const value = fc.oneof(
    { weight: 3, arbitrary: leaf },
    {
      weight: 1,
      arbitrary: fc
        .array(leaf, { minLength: 2, maxLength: 3 })
        .map((all) => () => union(all.map((one) => one()))),
    },
  )
  const whole = fc
    .dictionary(fc.constantFrom(...NAMES), value, { minKeys: 1, noNullPrototype: true })
    .map((all) => () => object(Object.fromEntries(Object.entries(all).map(([name, one]) => [name, one()]))))
  const unions = fc
    .array(whole, { minLength: 2, maxLength: 2 })
    .map((all) => () => union(all.map((one) => one())))
  return fc.oneof({ weight: 2, arbitrary: whole }, { weight: 1, arbitrary: unions }).map((make) => {
    try {
      const schema = make()
      return { schema, alone: (given) => alone(schema, given) }
    } catch {
      // ArkType refuses unions whose branches have functions for the same input.
      return { schema: {}, alone: () => null }
    }
  })
}

type Valibot = v.GenericSchema

const valibotAlone = objectsOf(
  [
    () => v.string(),
    () => v.pipe(v.string(), v.minLength(2)),
    () => v.number(),
    () => v.boolean(),
    () => v.optional(v.boolean()),
    () => v.nullable(v.number()),
    () => v.picklist(['a', 'true']),
    () => v.array(v.string()),
    () =>
      v.pipe(
        v.unknown(),
        v.transform((one) => one === 'true'),
        v.boolean(),
      ),
    () => v.pipe(v.string(), v.transform(Number), v.number()),
    () =>
      v.pipe(
        v.string(),
        v.transform((one) => one.split(',')),
        v.array(v.string()),
      ),
    () => v.pipe(v.string(), v.toNumber()),
    () =>
      v.pipe(
        v.string(),
        v.check((one) => one !== 'true'),
      ),
    () => v.unknown(),
  ],
  (properties) => v.object(properties as Record<string, Valibot>),
  (all) => v.union(all as Valibot[]),
  (schema, value) => {
    const { success, output } = v.safeParse(schema as Valibot, value)
    return success ? { value: output } : null
  },
)

const valibot = valibotAlone.map(({ schema, alone }) => ({
  schema: '~run' in schema ? toStandardJsonSchema(schema as Valibot) : schema,
  alone,
}))

const zod3 = objectsOf(
  [
    () => z3.string(),
    () => z3.number(),
    () => z3.coerce.boolean(),
    () => z3.coerce.number(),
    () => z3.preprocess((one) => one === 'true', z3.boolean()),
    () => z3.string().transform(Number).pipe(z3.number()),
    () => z3.array(z3.string()),
    () => z3.boolean().optional(),
  ],
  (properties) => z3.object(properties as z3.ZodRawShape),
  (all) => z3.union(all as unknown as [z3.ZodTypeAny, z3.ZodTypeAny]),
  (schema, value) => {
    const { success, data } = (schema as z3.ZodTypeAny).safeParse(value)
    return success ? { value: data as unknown } : null
  },
)

const arktype = objectsOf(
  [
    () => type('string'),
    () => type('number'),
    () => type('boolean'),
    () => type('number | string'),
    () => type('string > 2'),
    () => type('"a" | "true"'),
    () => type('string[]'),
    () => type('string.numeric.parse'),
    () => type('string.integer.parse'),
    () => type('string').pipe((one) => one.split(',')),
    () => type('unknown').pipe((one) => one === 'true'),
    () => type('string').narrow((one) => one !== 'true'),
    () => type('unknown'),
  ],
  (properties) => type(properties as never),
  (all) =>
    all.slice(1).reduce<{ or: (other: unknown) => never }>((one, other) => one.or(other), all[0] as never),
  (schema, value) => {
    const result: unknown = Reflect.apply(schema as () => unknown, null, [value])
    return result instanceof type.errors ? null : { value: result }
  },
)

const libraries: Readonly<Record<string, fc.Arbitrary<Library>>> = { zod, valibot, zod3, arktype }

/** Whether a schema has no use for headers that it does not declare, as each request has some. */
function isClosed(alone: Alone, texts: Readonly<Record<string, string>>): boolean {
  return JSON.stringify(alone({ ...texts, host: 'x' })) === JSON.stringify(alone({ ...texts }))
}

const parts = fc.dictionary(fc.constantFrom(...NAMES), text, { noNullPrototype: true })

describe.skipIf(isPeer)('the text of a request', () => {
  it.each(Object.entries(libraries))(
    'is given to %s as it is, where it accepts it',
    async (_name, library) => {
      let accepted = 0
      await fc.assert(
        fc.asyncProperty(library, parts, async ({ schema, alone }, texts) => {
          const wanted = alone({ ...texts })
          if (wanted === null) return
          accepted++
          const { value }: { value?: unknown } = JSON.parse(JSON.stringify(wanted))
          for (const [wire, seen] of await throughWires(schema, texts)) {
            // Forms refuse undeclared fields before the library, and a request has other headers.
            if (wire === 'multipart' && /is not declared in its schema/.test(JSON.stringify(seen))) continue
            if (wire !== 'headers') expect([wire, seen]).toEqual([wire, { value }])
            else if (isClosed(alone, texts) && 'value' in seen)
              expect(membersOf(seen.value, value)).toEqual(value)
          }
        }),
        { numRuns: 250 },
      )
      expect(accepted).toBeGreaterThan(20)
    },
  )
})
