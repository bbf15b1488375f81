// The type of a parameter that breaks a rule, so that the compiler's message says in words what is wrong. No value has
// such a type.

declare const problem: unique symbol

/** A mistake of the author; `Message` says what to change and how. */
export interface Problem<Message extends string> {
  readonly [problem]: Message
}
