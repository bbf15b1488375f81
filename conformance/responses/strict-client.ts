// A client that reads every byte of a connection, and reports what no server may write (RFC 9110, RFC 9112).

/** One request as the client sent it. */
export interface SentRequest {
  readonly method: string
  readonly version: '1.0' | '1.1'
  /** `100-continue` was asked for */
  readonly expects: boolean
  /** the value of its field `Connection`, in lower case */
  readonly connection: string
}

/** How the server left the connection. */
export type End = 'open' | 'ended' | 'reset'

/** One final response. */
export interface ReadResponse {
  readonly status: number
  readonly fields: ReadonlyMap<string, readonly string[]>
  readonly content: string
  readonly isComplete: boolean
}

/** The responses on a connection, and what is wrong with them. */
export interface Reading {
  readonly responses: readonly ReadResponse[]
  /** statuses of interim responses, with the number of final responses before each */
  readonly interim: readonly { readonly status: number; readonly before: number }[]
  readonly faults: readonly string[]
}

type Fields = Map<string, string[]>

const STATUS_LINE = /^HTTP\/1\.1 ([1-9]\d\d) [\t\x20-\x7e\x80-\xff]*$/
const FIELD_LINE = /^([\w!#$%&'*+.^`|~-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)$/
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
/** Fields of framing, routing and content are no trailers (RFC 9110 section 6.5.1). */
const NO_TRAILERS = ['content-length', 'transfer-encoding', 'content-type', 'connection', 'trailer', 'host']

/** Reads what came back on one connection. */
class Reader {
  readonly responses: ReadResponse[] = []
  readonly interim: { status: number; before: number }[] = []
  readonly faults: string[] = []
  readonly #text: string
  readonly #requests: readonly SentRequest[]
  readonly #end: End
  #at = 0

  constructor(bytes: Buffer, requests: readonly SentRequest[], end: End) {
    this.#text = bytes.toString('latin1')
    this.#requests = requests
    this.#end = end
  }

  read(): Reading {
    let isLast = false
    while (this.#at < this.#text.length) {
      const request = this.#requests[this.responses.length]
      if (request === undefined || isLast) {
        this.#fault(
          `bytes behind the last response: ${JSON.stringify(this.#text.slice(this.#at, this.#at + 60))}`,
        )
        break
      }
      const head = this.#readHead()
      if (head === null) break
      if (head.status < 200) this.#readInterim(head.status, head.fields, request)
      else {
        isLast = this.#judgeHead(head.status, head.fields, request)
        if (!this.#readContent(head.status, head.fields, request, isLast)) break
      }
    }
    return this
  }

  #fault(text: string): void {
    this.faults.push(text)
  }

  #readHead(): { readonly status: number; readonly fields: Fields } | null {
    const end = this.#text.indexOf('\r\n\r\n', this.#at)
    if (end === -1) {
      if (this.#end === 'open') this.#fault('a head that does not end')
      return null
    }
    const [first = '', ...lines] = this.#text.slice(this.#at, end).split('\r\n')
    this.#at = end + 4
    const status = STATUS_LINE.exec(first)?.[1]
    if (status === undefined) {
      this.#fault(`no status line: ${JSON.stringify(first.slice(0, 60))}`)
      return null
    }
    return { status: Number(status), fields: this.#readFields(lines) }
  }

  #readFields(lines: readonly string[]): Fields {
    const fields: Fields = new Map()
    for (const line of lines) {
      const [, name, value = ''] = FIELD_LINE.exec(line) ?? []
      if (name === undefined) this.#fault(`no field line: ${JSON.stringify(line.slice(0, 60))}`)
      else {
        const lower = name.toLowerCase()
        if (lower.startsWith('x-injected')) this.#fault('an injected field')
        fields.set(lower, [...(fields.get(lower) ?? []), value.trimEnd()])
      }
    }
    return fields
  }

  /** RFC 9110 section 15.2: before the final response, to HTTP/1.1 alone, without content. */
  #readInterim(status: number, fields: Fields, request: SentRequest): void {
    const before = this.responses.length
    this.interim.push({ status, before })
    if (request.version === '1.0') this.#fault(`${status} to a client of HTTP/1.0`)
    if (fields.has('content-length') || fields.has('transfer-encoding'))
      this.#fault(`${status} with a framing`)
    if (status !== 100) return
    if (!request.expects) this.#fault('100 that nobody asked for')
    if (this.interim.filter((one) => one.status === 100 && one.before === before).length > 1)
      this.#fault('100 twice')
  }

  /** @returns whether the connection ends with this response */
  #judgeHead(status: number, fields: Fields, request: SentRequest): boolean {
    const dates = fields.get('date') ?? []
    if (dates.length !== 1 || !DATE.test(dates[0] ?? '')) this.#fault(`Date: ${JSON.stringify(dates)}`)
    const options = this.#options(fields)
    const closes = options.includes('close')
    const keeps = options.includes('keep-alive')
    if (closes && keeps) this.#fault('close and keep-alive together')
    if (closes && fields.has('keep-alive')) this.#fault('Keep-Alive with close')
    const askedToKeep = request.connection.split(',').some((one) => one.trim() === 'keep-alive')
    if (request.version === '1.0' && keeps && !askedToKeep) this.#fault('keep-alive that nobody asked for')
    if (request.version === '1.0' && !keeps) return true
    return closes
  }

  #options(fields: Fields): string[] {
    const options: string[] = []
    for (const line of fields.get('connection') ?? []) {
      for (const option of line.split(',')) {
        if (!TOKEN.test(option.trim())) this.#fault(`Connection: ${JSON.stringify(line)}`)
        options.push(option.trim().toLowerCase())
      }
    }
    return options
  }

  /** @returns false where nothing can be read behind it */
  #readContent(status: number, fields: Fields, request: SentRequest, isLast: boolean): boolean {
    const codings = fields.get('transfer-encoding')
    const lengths = fields.get('content-length')
    if (codings !== undefined && lengths !== undefined) this.#fault('two framings')
    if (codings !== undefined && (codings.length > 1 || codings[0] !== 'chunked'))
      this.#fault(`Transfer-Encoding: ${JSON.stringify(codings)}`)
    if (codings !== undefined && request.version === '1.0') this.#fault('chunks for a client of HTTP/1.0')
    if (lengths !== undefined && (lengths.length > 1 || !/^\d{1,15}$/.test(lengths[0] ?? '')))
      this.#fault(`Content-Length: ${JSON.stringify(lengths)}`)
    const done = (content: string, isComplete: boolean): boolean => {
      this.responses.push({ status, fields, content, isComplete })
      if (!isComplete && this.#end === 'open') this.#fault('an incomplete response on an open connection')
      return isComplete
    }
    if (status === 204 || status === 304) {
      if (codings !== undefined) this.#fault(`${status} with a coding`)
      if (status === 204 && lengths !== undefined && lengths[0] !== '0') this.#fault('204 with a length')
      return done('', true)
    }
    if (request.method === 'HEAD') return done('', true)
    if (codings !== undefined) return this.#readChunks(done)
    if (lengths !== undefined) {
      const length = Number(lengths[0])
      const content = this.#text.slice(this.#at, this.#at + length)
      this.#at += content.length
      return done(content, content.length === length)
    }
    // Until the end of the connection (RFC 9112 section 6.3).
    if (!isLast) this.#fault('a content without framing on a connection that stays open')
    const content = this.#text.slice(this.#at)
    this.#at = this.#text.length
    done(content, this.#end === 'ended')
    return false
  }

  #readChunks(done: (content: string, isComplete: boolean) => boolean): boolean {
    let content = ''
    for (;;) {
      const lineEnd = this.#text.indexOf('\r\n', this.#at)
      if (lineEnd === -1) return done(content, false)
      const line = this.#text.slice(this.#at, lineEnd)
      if (!/^[\da-f]{1,8}$/i.test(line)) {
        this.#fault(`no chunk size: ${JSON.stringify(line.slice(0, 60))}`)
        return done(content, false)
      }
      const size = Number.parseInt(line, 16)
      if (size === 0) return this.#readTrailers(lineEnd, content, done)
      const dataEnd = lineEnd + 2 + size
      content += this.#text.slice(lineEnd + 2, dataEnd)
      if (this.#text.length < dataEnd + 2) return done(content, false)
      if (this.#text.slice(dataEnd, dataEnd + 2) !== '\r\n') {
        this.#fault('a chunk that does not end')
        return done(content, false)
      }
      this.#at = dataEnd + 2
    }
  }

  #readTrailers(
    lineEnd: number,
    content: string,
    done: (content: string, isComplete: boolean) => boolean,
  ): boolean {
    const end = this.#text.indexOf('\r\n\r\n', lineEnd)
    if (end === -1) return done(content, false)
    this.#at = end + 4
    const lines = this.#text.slice(lineEnd + 2, end)
    if (lines !== '') {
      for (const name of this.#readFields(lines.split('\r\n')).keys())
        if (NO_TRAILERS.includes(name)) this.#fault(`the trailer ${name}`)
    }
    return done(content, true)
  }
}

/**
 * Reads what came back on one connection.
 *
 * @param requests - in the order in which they were sent
 * @param end - how the server left the connection
 */
export function readConnection(bytes: Buffer, requests: readonly SentRequest[], end: End): Reading {
  return new Reader(bytes, requests, end).read()
}
