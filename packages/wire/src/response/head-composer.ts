import type { OutgoingHttpHeaders } from 'node:http'

/** Headers of a response by name. Several lines of one name are a list. */
export type ResponseHeaders = Record<string, string | number | string[] | undefined>

/** A field name is a token (RFC 9110 section 5.1). */
const NO_NAME = /[^\w!#$%&'*+.^`|~-]/
/** A character that no field value may have; each of the others is one byte (RFC 9110 section 5.5). */
const NO_VALUE = /[^\t\x20-\x7e\x80-\xff]/
const SAYS_CLOSE = /(?:^|\W)close(?:$|\W)/i
const MOST_KNOWN = 500
const LONGEST_KNOWN = 100

/** A header of a response that cannot be written. */
export class FieldError extends Error {
  /** the code of all these errors */
  readonly code = 'WIRE_FIELD_INVALID'
  /** the name of the header */
  readonly field: string

  constructor(field: string, problem: string) {
    super(`The header ${JSON.stringify(field)} cannot be written: ${problem}`)
    this.name = 'FieldError'
    this.field = field
  }
}

/** What a head says of its connection and its content, beside what it is made of. */
export interface ComposedFacts {
  readonly hasDate: boolean
  readonly hasConnection: boolean
  readonly hasKeepAlive: boolean
  /** the declared length of the content */
  readonly length: number | null
  readonly isChunked: boolean
  readonly saysClose: boolean
}

/**
 * Puts field lines together (RFC 9112 section 5), checked, so that no header can begin a line of its own. It keeps what
 * it saw of the head it composed last.
 */
export class HeadComposer implements ComposedFacts {
  hasDate = false
  hasConnection = false
  hasKeepAlive = false
  length: number | null = null
  isChunked = false
  saysClose = false
  /** names that were checked, with what goes before their value */
  readonly #names = new Map<string, string>()
  /** lines of content types, of which there are few */
  readonly #types = new Map<string, string>()

  /**
   * Puts the lines of some headers together.
   *
   * @throws FieldError when a header cannot be written
   */
  compose(headers: ResponseHeaders): string {
    this.#forget()
    return this.#lines(headers)
  }

  /**
   * Puts the lines of some headers together, and before them those of others.
   *
   * @param checked - headers that Node has checked; those of the same name are left out
   * @throws FieldError when a header cannot be written
   */
  composeOver(checked: Readonly<OutgoingHttpHeaders>, headers: ResponseHeaders): string {
    this.#forget()
    let lines = ''
    for (const name in checked) {
      const value = checked[name]
      if (value === undefined || headers[name] !== undefined) continue
      this.#notice(name, String(value))
      if (typeof value === 'object') for (const one of value) lines += `${name}: ${one}\r\n`
      else lines += `${name}: ${value}\r\n`
    }
    return lines + this.#lines(headers)
  }

  #forget(): void {
    this.hasDate = false
    this.hasConnection = false
    this.hasKeepAlive = false
    this.length = null
    this.isChunked = false
    this.saysClose = false
  }

  #lines(headers: ResponseHeaders): string {
    let lines = ''
    for (const name in headers) {
      const value = headers[name]
      if (value === undefined) continue
      if (name === 'content-type' && typeof value === 'string') lines += this.#typeLine(value)
      else if (typeof value === 'object') for (const one of value) lines += this.#line(name, String(one))
      else lines += this.#line(name, typeof value === 'string' ? value : String(value))
    }
    return lines
  }

  #line(name: string, value: string): string {
    const start = this.#names.get(name) ?? this.#checkName(name)
    if (NO_VALUE.test(value)) throw new FieldError(name, 'its value has a character that no field may have')
    this.#notice(name, value)
    return `${start}${value}\r\n`
  }

  #checkName(name: string): string {
    if (name === '' || NO_NAME.test(name)) throw new FieldError(name, 'its name must be a token')
    const start = `${name}: `
    if (this.#names.size < MOST_KNOWN && name.length <= LONGEST_KNOWN) this.#names.set(name, start)
    return start
  }

  #typeLine(value: string): string {
    const known = this.#types.get(value)
    if (known !== undefined) return known
    const line = this.#line('content-type', value)
    if (this.#types.size < MOST_KNOWN && value.length <= LONGEST_KNOWN) this.#types.set(value, line)
    return line
  }

  /** Fields about the connection and the framing of the response (RFC 9112 sections 6 and 9). */
  #notice(name: string, value: string): void {
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === 'date') this.hasDate = true
        break
      case 10:
        if (name.toLowerCase() === 'connection') {
          this.hasConnection = true
          if (SAYS_CLOSE.test(value)) this.saysClose = true
        } else if (name.toLowerCase() === 'keep-alive') this.hasKeepAlive = true
        break
      case 14:
        if (name.toLowerCase() === 'content-length') this.length = Number(value)
        break
      case 17:
        if (name.toLowerCase() === 'transfer-encoding') this.isChunked = true
        break
      default:
    }
  }
}
