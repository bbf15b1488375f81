// A parameter that departs from a rule is given one of these types, so that the compiler's message says in words
// what is wrong. No value has such a type.

declare const problem: unique symbol

/** Something the author must change; `Message` says what and how. */
export interface Problem<Message extends string> {
  readonly [problem]: Message
}
