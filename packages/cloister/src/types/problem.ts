// The type of a parameter that breaks a rule. The compiler's message contains the text of the type. No value has this
// type.

declare const problem: unique symbol

/** A mistake in the code; `Message` says how to correct it. */
export interface Problem<Message extends string> {
  readonly [problem]: Message
}
