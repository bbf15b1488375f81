/**
 * What the framework's transports use of the rules for messages, for them alone: any release may change it.
 * `scripts/internal.mjs` refuses it in documents, examples and public types.
 */
export { problemOfField, trimBlanks } from './field.ts'
export { interimFields, STREAMED } from './framing.ts'
export { isIPv6 } from './host.ts'
export { joinTexts } from './join-texts.ts'
export { prematureClose, SENT, WAITING } from './turn.ts'
