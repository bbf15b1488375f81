// What the type tests say things with. Nothing here runs: the compiler is the judge.

import type { Cloister, Ctx } from 'cloister'

export { definePlugin } from 'cloister'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** `is<string>()(value)` compiles when the type of `value` is exactly `string`. */
export declare function is<Wanted>(): <Given>(
  value: Given,
  ...difference: Same<Wanted, Given> extends true ? [] : [{ wanted: Wanted; given: Given }]
) => void

/** One case: a sentence about the types, and code that holds it. */
export declare function it(sentence: string, check: () => unknown): void

/** An app with nothing in it. */
export declare const app: Cloister

/** An app that knows a database and a user. */
export declare const shop: Cloister<
  Ctx<{ readonly db: Database }, { user: User | null }, { cached: () => string }, Shared>
>

/** A decoration of instances. */
export interface Database {
  find(id: string): { id: string; stock: number }
}

/** A decoration of requests. */
export interface User {
  name: string
}

/** Shared schemas. */
export interface Shared {
  readonly book: {
    readonly $id: 'book'
    readonly type: 'object'
    readonly properties: {
      readonly title: { readonly type: 'string' }
      readonly pages: { readonly type: 'integer' }
    }
    readonly required: readonly ['title']
  }
}
