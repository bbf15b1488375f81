// Payloads by media type, where a response has a `content` map.

declare const byType: unique symbol

/** The payloads of one status by media type. */
export interface ByType<Payloads> {
  readonly [byType]: Payloads
}

/** The payloads that may be sent without a media type: any of them. */
export type OfAnyType<Payload> = Payload extends ByType<infer Payloads> ? Payloads[keyof Payloads] : Payload

/** The payloads that may be sent with a media type. */
export type OfType<Payload, Type> =
  Payload extends ByType<infer Payloads> ? Payloads[TypeKey<Type, keyof Payloads> & keyof Payloads] : Payload

type TypeKey<Type, Keys> = Type extends Keys
  ? Type
  : Type extends `${infer Name};${string}`
    ? TypeKey<Name, Keys>
    : Type extends `${infer Name} `
      ? TypeKey<Name, Keys>
      : '*/*'

/** The media types that may be set: those of a `content` map with their parameters, and else any. */
export type TypesOf<Payload> = [Payload] extends [ByType<unknown>] ? Declared<KeysOf<Payload>> : string
type KeysOf<Payload> = Payload extends ByType<infer Payloads> ? keyof Payloads & string : never
type Declared<Key extends string> = '*/*' extends Key
  ? string
  : Key | `${Key};${string}` | `${Key} ;${string}`
