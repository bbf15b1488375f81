// What a library refuses as text is coerced to the types that its schema allows, value by value; what is beside it stays
// as the library reads it.
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { Schema } from 'effect'
import fc from 'fast-check'
import * as v from 'valibot'
import { z } from 'zod'
import { isPeer } from '../harness/subject.ts'
import { describe, expect, it } from 'vitest'

import { membersOf, throughWires } from './text-wires.ts'

type Kind = 'number' | 'boolean' | 'null'
type Alone = (schema: never, value: unknown) => { readonly value: unknown } | null

/** A schema, and the types that its text may become, in the order of its branches. */
interface Leaf {
  readonly schema: object
  readonly kinds: readonly Kind[]
}

interface Library {
  readonly leaves: readonly Leaf[]
  readonly alone: Alone
  readonly object: (properties: never) => object
}

const number: readonly Kind[] = ['number']
const boolean: readonly Kind[] = ['boolean']

/** The rules of coercion for a text. */
const COERCED: Readonly<Record<Kind, (text: string) => unknown>> = {
  number: (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)),
  boolean: (text) => ({ true: true, false: false })[text] ?? text,
  null: (text) => (text === '' ? null : text),
}

const LIBRARIES: Readonly<Record<string, Library>> = {
  zod: {
    object: (properties) => z.object(properties),
    alone: (schema: z.ZodType, value) => {
      const { success, data } = schema.safeParse(value)
      return success ? { value: data } : null
    },
    leaves: [
      { schema: z.number(), kinds: number },
      { schema: z.int().positive(), kinds: number },
      { schema: z.boolean(), kinds: boolean },
      { schema: z.number().nullable(), kinds: ['number', 'null'] },
      { schema: z.number().transform((one) => one + 1), kinds: number },
      { schema: z.number().refine((one) => one !== 5), kinds: number },
      { schema: z.literal(5), kinds: number },
      { schema: z.literal(true), kinds: boolean },
      { schema: z.literal(['a', 5, true]), kinds: ['number', 'boolean'] },
      { schema: z.literal([5, null]), kinds: ['number', 'null'] },
      { schema: z.enum({ A: 2, B: 5 }), kinds: number },
      { schema: z.enum({ A: 2, B: 'a' }), kinds: number },
      { schema: z.union([z.number(), z.boolean()]), kinds: ['number', 'boolean'] },
      { schema: z.union([z.number(), z.string()]), kinds: [] },
      { schema: z.string(), kinds: [] },
      { schema: z.preprocess((one) => one === 'true', z.boolean()), kinds: [] },
      { schema: z.transform((one: unknown) => typeof one).pipe(z.enum(['string'])), kinds: [] },
    ],
  },
  valibot: {
    object: (properties) => toStandardJsonSchema(v.object(properties)),
    alone: (schema: v.GenericSchema, value) => {
      const { success, output } = v.safeParse(schema, value)
      return success ? { value: output } : null
    },
    leaves: [
      { schema: v.number(), kinds: number },
      { schema: v.boolean(), kinds: boolean },
      { schema: v.nullable(v.number()), kinds: ['number', 'null'] },
      { schema: v.literal(5), kinds: number },
      { schema: v.literal(true), kinds: boolean },
      { schema: v.picklist([2, 5]), kinds: number },
      { schema: v.picklist([5, 'a']), kinds: number },
      { schema: v.enum({ A: 5, B: 'a' }), kinds: number },
      { schema: v.union([v.literal(5), v.literal('a')]), kinds: number },
      { schema: v.union([v.number(), v.boolean()]), kinds: ['number', 'boolean'] },
      { schema: v.string(), kinds: [] },
    ],
  },
  arktype: {
    object: (properties) => type(properties),
    alone: (schema: (value: unknown) => unknown, value) => {
      const result = schema(value)
      return result instanceof type.errors ? null : { value: result }
    },
    leaves: [
      { schema: type('number'), kinds: number },
      { schema: type('boolean'), kinds: boolean },
      { schema: type('number | null'), kinds: ['number', 'null'] },
      { schema: type('5'), kinds: number },
      { schema: type('true'), kinds: boolean },
      { schema: type('2 | 5'), kinds: number },
      { schema: type('5 | "a"'), kinds: number },
      { schema: type('5 | true | "a"'), kinds: ['number', 'boolean'] },
      { schema: type('5 | null'), kinds: ['number', 'null'] },
      { schema: type('string'), kinds: [] },
    ],
  },
  effect: {
    object: (properties) =>
      Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(Schema.Struct(properties))),
    alone: (schema, value) => {
      try {
        return { value: Schema.decodeUnknownSync(schema)(value) }
      } catch {
        return null
      }
    },
    leaves: [
      { schema: Schema.Number, kinds: number },
      { schema: Schema.Boolean, kinds: boolean },
      { schema: Schema.Literal(5), kinds: number },
      { schema: Schema.Literals([5, 'a', true]), kinds: ['number', 'boolean'] },
      { schema: Schema.Enum({ A: 5, B: 'a' }), kinds: number },
      { schema: Schema.NullOr(Schema.Number), kinds: ['number', 'null'] },
      { schema: Schema.String, kinds: [] },
    ],
  },
}

const text = fc.constantFrom('true', 'false', '5', '2', '7.5', 'a', '', 'null')

/** What a handler should get of a text; `null` if the request should be refused. */
function wantedOf({ alone }: Library, { schema, kinds }: Leaf, given: string): { value: unknown } | null {
  for (const one of [given, ...kinds.map((kind) => COERCED[kind](given))]) {
    const result = Reflect.apply(alone, null, [schema, one])
    if (result !== null) return result
  }
  return null
}

describe.skipIf(isPeer)('a text that a library refuses', () => {
  it.each(Object.entries(LIBRARIES))(
    'is coerced to the types of the schema of %s, where it has that type',
    async (_name, library) => {
      const leaf = fc.constantFrom(...library.leaves)
      const part = fc.array(fc.tuple(leaf, text), { minLength: 1, maxLength: 2 })
      let accepted = 0
      await fc.assert(
        fc.asyncProperty(part, async (members) => {
          const named = members.map(([one, given], index) => [`m${index}`, one, given] as const)
          const properties = Object.fromEntries(named.map(([name, one]) => [name, one.schema]))
          const texts = Object.fromEntries(named.map(([name, , given]) => [name, given]))
          const all = named.map(([name, one, given]) => [name, wantedOf(library, one, given)] as const)
          const isRefused = all.some(([, wanted]) => wanted === null)
          const value = Object.fromEntries(all.map(([name, wanted]) => [name, wanted?.value]))
          if (!isRefused) accepted++
          for (const [wire, seen] of await throughWires(
            Reflect.apply(library.object, null, [properties]),
            texts,
          )) {
            if (isRefused) expect([wire, seen]).toEqual([wire, { refused: expect.stringMatching(/^400/) }])
            else
              expect([wire, 'value' in seen ? membersOf(seen.value, value) : seen]).toEqual([
                wire,
                JSON.parse(JSON.stringify(value)),
              ])
          }
        }),
        { numRuns: 100 },
      )
      expect(accepted).toBeGreaterThan(10)
    },
  )
})
