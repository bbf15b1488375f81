/**
 * Source text as a type. A plain string can never become code: inside the `code` tag a string is
 * quoted, a number becomes a literal, and only a value made here is inserted as it stands.
 */

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/
const LINE_SEPARATORS = /[\u2028\u2029]/g

/** A piece of generated source text. Made by {@link code}, {@link name} and the helpers below, by nothing else. */
class CodeText {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The source text itself. */
  toString(): string {
    return this.#text
  }
}

/** A piece of generated source text (an opaque type, see {@link code}). */
export type Code = CodeText

/** What may stand in a `${}` of {@link code}; everything but {@link Code} becomes a literal. */
export type CodePart = Code | string | number | bigint | boolean | null | undefined

/** Quotes a string as a JavaScript string literal that is safe in a script of any age. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(LINE_SEPARATORS, (char) => (char === '\u2028' ? '\\u2028' : '\\u2029'))
}

function literal(part: Exclude<CodePart, Code>): string {
  switch (typeof part) {
    case 'string':
      return quote(part)
    case 'number':
      return Object.is(part, -0) ? '-0' : String(part)
    case 'bigint':
      return `${part}n`
    default:
      return String(part)
  }
}

/** The tag that makes source text: strings are quoted by construction, {@link Code} is inserted. */
export function code(strings: TemplateStringsArray, ...parts: readonly CodePart[]): Code {
  let text = strings[0] ?? ''
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]
    text += part instanceof CodeText ? part.toString() : literal(part)
    text += strings[i + 1] ?? ''
  }
  return new CodeText(text)
}

/** The empty piece of code. */
export const nothing: Code = new CodeText('')

/** An identifier; throws when the text is none, so that no user text can pass for a name. */
export function name(text: string): Code {
  if (!IDENTIFIER.test(text)) throw new TypeError(`${quote(text)} is not an identifier`)
  return new CodeText(text)
}

/** Joins pieces with a separator that is code itself, for example `` join(parts, code` && `) ``. */
export function join(parts: readonly Code[], separator: Code = nothing): Code {
  const between = separator.toString()
  let text = ''
  let before = ''
  for (const part of parts) {
    text += before + part.toString()
    before = between
  }
  return new CodeText(text)
}

/** Access to a property: `object.key` where the key is an identifier, `object["key"]` elsewhere. */
export function property(object: Code, key: string | number): Code {
  return typeof key === 'string' && IDENTIFIER.test(key)
    ? new CodeText(`${object.toString()}.${key}`)
    : code`${object}[${key}]`
}

/** A key of an object literal; `__proto__` is computed, so that it is an own property and not the prototype. */
export function literalKey(key: string): Code {
  if (key === '__proto__') return code`[${key}]`
  return IDENTIFIER.test(key) ? new CodeText(key) : code`${key}`
}

/** `new RegExp(…)` with quoted source and flags. */
export function regexp(source: string, flags: string = ''): Code {
  return code`new RegExp(${source}, ${flags})`
}

/** A JSON value (no functions, no cycles) as a literal expression, safe for keys of any name. */
export function jsonLiteral(value: unknown): Code {
  if (Array.isArray(value)) {
    return code`[${join(value.map(jsonLiteral), code`, `)}]`
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(
      ([key, entry]) => code`${literalKey(key)}: ${jsonLiteral(entry)}`,
    )
    return code`{${join(entries, code`, `)}}`
  }
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'undefined':
      return code`${value}`
    default:
      if (value === null) return code`null`
      throw new TypeError(`a ${typeof value} has no literal`)
  }
}
