/**
 * Source text as a type. A plain string can never become code: the `code` tag quotes strings, writes numbers as
 * literals, and only inserts values created here unchanged.
 */

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** A piece of generated source text. Only {@link code}, {@link name} and the helpers below create one. */
class CodeText {
  readonly text: string
  /** Makes the type nominal: only an instance of this class is assignable to it. */
  declare private readonly onlyMadeHere: true

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** A piece of generated source text (an opaque type, see {@link code}). */
export type Code = CodeText

/** A value in a `${}` of {@link code}; everything except {@link Code} becomes a literal. */
export type CodePart = Code | string | number | bigint | boolean | null | undefined

/**
 * Quotes a string as a JavaScript string literal. JSON text is one since ECMAScript 2019. Text with double quotation
 * marks, as most fixed text of JSON, gets single ones around it, to stay short.
 */
export function quote(text: string): string {
  const json = JSON.stringify(text)
  if (!text.includes('"')) return json
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
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

function textOf(part: CodePart): string {
  return part instanceof CodeText ? part.text : literal(part)
}

/**
 * Tags a template as source text: strings are quoted by construction, {@link Code} is inserted.
 *
 * Hot at boot: a large application makes hundreds of thousands of calls. Up to four parts need no rest array, and the
 * body is too large for V8 to inline into every caller, which measured slower.
 */
export function code(strings: TemplateStringsArray, ...parts: readonly CodePart[]): Code
export function code(
  strings: TemplateStringsArray,
  a?: CodePart,
  b?: CodePart,
  c?: CodePart,
  d?: CodePart,
  ...more: readonly CodePart[]
): Code {
  const text = (strings[0] ?? '') + textOf(a) + (strings[1] ?? '')
  switch (strings.length) {
    case 1:
      return new CodeText(strings[0] ?? '')
    case 2:
      return new CodeText(text)
    case 3:
      return new CodeText(text + textOf(b) + (strings[2] ?? ''))
    case 4:
      return new CodeText(text + textOf(b) + (strings[2] ?? '') + textOf(c) + (strings[3] ?? ''))
  }
  const long =
    text + textOf(b) + (strings[2] ?? '') + textOf(c) + (strings[3] ?? '') + textOf(d) + (strings[4] ?? '')
  return new CodeText(
    more.reduce((all: string, part, at) => all + textOf(part) + (strings[at + 5] ?? ''), long),
  )
}

export const nothing: Code = new CodeText('')

/** Appends a number to a piece of code, to create new names from a name. */
export function numbered(prefix: Code, count: number): Code {
  return new CodeText(prefix.text + count)
}

/** Creates an identifier. It throws for any other text, so that no user text can become a name. */
export function name(text: string): Code {
  if (!IDENTIFIER.test(text)) throw new TypeError(`${quote(text)} is not an identifier`)
  return new CodeText(text)
}

/** Joins pieces with a separator that is code itself, for example `` join(parts, code` && `) ``. */
export function join(parts: readonly Code[], separator: Code = nothing): Code {
  let text = parts[0]?.text ?? ''
  for (let index = 1; index < parts.length; index++) text += separator.text + (parts[index]?.text ?? '')
  return new CodeText(text)
}

/** Reads a property: `object.key` when the key is an identifier, else `object["key"]`. */
export function property(object: Code, key: string | number): Code {
  return typeof key === 'string' && IDENTIFIER.test(key)
    ? new CodeText(`${object.text}.${key}`)
    : code`${object}[${key}]`
}

/** Returns a key of an object literal. `__proto__` is computed, so that it is an own property and not the prototype. */
export function literalKey(key: string): Code {
  if (key === '__proto__') return code`[${key}]`
  return IDENTIFIER.test(key) ? new CodeText(key) : code`${key}`
}

/** Returns `new RegExp(…)` with quoted source and flags. */
export function regexp(source: string, flags: string = ''): Code {
  return code`new RegExp(${source}, ${flags})`
}

/** Returns a JSON value (no functions, no cycles) as a literal expression, safe for keys of any name. */
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
