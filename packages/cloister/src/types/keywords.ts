import type { Keyword } from './keyword.generated.ts'
import type { Nearest } from './nearest.ts'

// Words of schemas that are similar to a keyword but are none. The words of other tools are no mistake.

/** A word that is similar to a keyword. */
export interface WrongWord<Name extends string, Meant extends string> {
  readonly wrongWord: Name
  readonly meant: Meant
}

/** The keyword `required` as a flag of a property. */
export interface RequiredFlag {
  readonly requiredFlag: true
}

/** A schema that names its type, so that its keys are keywords and not names of properties. */
interface Typed {
  readonly type: string | readonly string[]
}
interface Scalar {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'null'
}

/** The mistakes in the words of a schema itself. */
export type MisspeltHere<T> = T extends Typed
  ? WrongIn<keyof T> | (T extends { readonly required: boolean } ? RequiredFlag : never)
  : never

/** The mistakes in the words of plain schemas and the schemas in them. */
export type Misspelt<T> = WrongIn<Words<T>>

/** Whether all words of plain schemas are keywords. */
export type HasKeywordsOnly<T> = [Words<T>] extends [Keyword] ? true : false

type WrongIn<Key> = [Key] extends [Keyword] ? never : WrongWords<Exclude<Key, Keyword>>
type WrongWords<Name> = Name extends string
  ? [Nearest<Name, Keyword>] extends [never]
    ? never
    : WrongWord<Name, Nearest<Name, Keyword>>
  : never

// A scalar has no schemas inside, as most schemas of properties. Some libraries mark their schemas with `static`, whose
// type would be expensive to look at.
type Words<T> = T extends Scalar
  ? keyof T
  : 'static' extends keyof T
    ? never
    : T extends ObjectOnly
      ? keyof T | Words<T['properties'][keyof T['properties']]>
      : T extends ArrayOnly
        ? keyof T | Words<T['items']>
        : keyof T | WordsInside<T>
type WordsInside<T> =
  | (T extends { readonly properties: infer P } ? Words<P[keyof P]> : never)
  | (T extends { readonly items: infer Items }
      ? Words<Items extends readonly unknown[] ? Items[number] : Items>
      : never)
  | (T extends { readonly allOf: readonly (infer Item)[] } ? Words<Item> : never)
  | (T extends { readonly anyOf: readonly (infer Item)[] } ? Words<Item> : never)
  | (T extends { readonly oneOf: readonly (infer Item)[] } ? Words<Item> : never)
interface NoGroups {
  readonly allOf?: undefined
  readonly anyOf?: undefined
  readonly oneOf?: undefined
}
interface ObjectOnly extends NoGroups {
  readonly type: 'object'
  readonly properties: object
}
interface ArrayOnly extends NoGroups {
  readonly type: 'array'
  readonly items: { readonly type: unknown }
}
