/*
 * `JSON.stringify` writes some values of the language as `{}`, whatever they hold. As the payload of a reply that is
 * always a mistake, and one without a visible error.
 */

/** Built-in class -> what to send instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  Map: 'send Object.fromEntries(map), or [...map] where keys are no strings',
  Set: 'send [...set]',
  URLSearchParams: 'send it without a JSON content type, or send Object.fromEntries(params)',
  FormData: 'send new Response(formData)',
  Headers: 'send Object.fromEntries(headers)',
  Blob: 'send it without a serializer, or send its bytes',
  File: 'send it without a serializer, or send its bytes',
  Request: 'send what was read from it',
  Promise: 'await it before it is sent',
  RegExp: 'send its source',
  SharedArrayBuffer: 'send a typed array over it',
  Generator: 'send [...generator], or Readable.from(generator) for a stream',
  AsyncGenerator: 'send Readable.from(generator)',
  WeakMap: 'it cannot be listed',
  WeakSet: 'it cannot be listed',
  WeakRef: 'send what it refers to',
}

/** Iterators have a tag of their own for each kind: `Array Iterator`, `Map Iterator`. */
const ITERATOR = /^\w+ Iterator$/

/** Why a value that was written as `{}` has no JSON, or `null` for objects that are just empty. */
export function explainUnserializable(payload: unknown): string | null {
  if (typeof payload !== 'object' || payload === null) return null
  // A value with its own `toJSON` was already converted.
  if ('toJSON' in payload && typeof payload.toJSON === 'function') return null
  const tag = Object.prototype.toString.call(payload).slice('[object '.length, -1)
  const instead = ITERATOR.test(tag) ? 'send [...iterator]' : INSTEAD[tag]
  return instead === undefined ? null : `a value of type ${tag} has no JSON; ${instead}`
}
