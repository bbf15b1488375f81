import type { FileSource, FormParser } from '../../dependencies.ts'
import { createError } from '../../errors.ts'
import { byOption, isInexact } from '../exact/rules.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { OpenBody } from '../../exchange/open-body.ts'
import type { ByteStream } from '../../exchange/streams.ts'
import { ByteCollector } from '../../byte-collector.ts'
import { hush } from '../../guards.ts'
import { parseMediaType } from '../media-type.ts'
import { createFormParser, invalid, MAX_PARTS, tooLarge } from './form-parser.ts'
import { admitsType, ANY_FILE, type FileRule, type FormRules } from './form-rules.ts'
import { valuesOf, type FormEntry, type FormValues } from './form-values.ts'
import { keepsName, type NameOptions } from './name-guard.ts'
import { PartHeads } from './part-heads.ts'
import { StreamedFile, StreamedFiles } from './streamed-file.ts'

const MAX_SHOWN_LENGTH = 40

const REPLACEMENT = '\uFFFD'
const NO_FILE: FileRule = { ...ANY_FILE, maxLength: 0, maxItems: 0 }

/** The parser reuses the memory of shorter pieces, which may be part of a boundary. */
const MIN_KEPT = 512

/** The inputs for reading the form of one request. */
export interface FormInput {
  readonly rules: FormRules
  /** the most bytes that are buffered, excluding streamed files */
  readonly limit: number
  readonly exchange: Exchange
  /** the stream that a hook has put in the place of the body; `null` if none has */
  readonly replaced: ByteStream | null
  readonly parseJson: (text: string) => unknown
  /** what happens to names that reach a prototype */
  readonly names: NameOptions
  /** takes the error of text that is not UTF-8; `null` if any text is read */
  readonly refuseText: ((error: Error) => void) | null
  readonly refused: (error: unknown) => void
}

/**
 * Reads a form (`multipart/form-data`, RFC 7578). It checks each part against the schema when the part begins, so
 * undeclared parts are rejected before their bytes are read. The values are complete when the form ends, or when the
 * first streamed file begins; after that, only files of the same property may follow.
 */
export class FormReader {
  readonly #input: FormInput
  /** in the order of the form, however its bytes arrive */
  readonly #entries: FormEntry[] = []
  readonly #counts = new Map<string, number>()
  readonly #parser: FormParser
  readonly #heads: PartHeads
  readonly #body: OpenBody
  /** how many parts the parser has handed over */
  #taken = 0
  #part = ''
  #received = 0
  /** buffered files that have not ended yet */
  #pending = 0
  /** the property of the first streamed file, and its rule */
  #streaming = ''
  #streamed = NO_FILE
  #current: StreamedFile | null = null
  #list: StreamedFiles | null = null
  #isOver = false
  #resolve: (values: FormValues) => void = ignore
  #reject: (error: unknown) => void = ignore

  constructor(input: FormInput) {
    this.#input = input
    this.#parser = this.#createParser()
    const type = parseMediaType(input.exchange.header('content-type'))
    this.#heads = new PartHeads(type.parameters.get('boundary') ?? '')
    this.#body = new OpenBody(input.exchange, input.replaced, {
      data: (bytes) => this.#take(bytes),
      end: () => {
        this.#guard(() => this.#heads.end())
        this.#parser.end()
      },
      broken: (error) => this.#fail(error),
      sent: () => this.#end(createError('CTP_BODY_ABORTED', {})),
    })
  }

  read(): Promise<FormValues> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      this.#body.start()
      this.#body.resume()
    })
  }

  #createParser(): FormParser {
    const { rules, exchange, limit } = this.#input
    const parser = createFormParser(rules, limit, exchange)
    parser.on('file', (name, file, filename, _encoding, type) => {
      file.on('error', hush)
      this.#taken += 1
      this.#guard(() => this.#takeFile(name, file, String(filename ?? ''), type))
    })
    parser.on('field', (name, value, _name, isCut, _encoding, type) => {
      this.#taken += 1
      this.#guard(() => this.#takeField(name, value, isCut, type))
    })
    parser.on('partsLimit', () => this.#fail(tooLarge(`it has more than ${MAX_PARTS} parts`)))
    parser.on('error', () => this.#fail(invalid(`it is cut or malformed ${this.#position()}`)))
    parser.on('finish', () => this.#guard(() => this.#finish()))
    parser.on('drain', () => {
      this.#guard(() => this.#checkTotal())
      this.#body.resume()
    })
    return parser
  }

  /** Passes bytes to the parser, with backpressure. */
  #take(bytes: Uint8Array): void {
    this.#received += bytes.byteLength
    this.#heads.add(bytes)
    if (this.#isOver) return
    if (!this.#parser.write(bytes) && !this.#isOver) this.#body.pause()
    this.#checkTotal()
  }

  #guard(take: () => void): void {
    if (this.#isOver) return
    try {
      take()
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Returns the name of a part, or `null` if the part is removed. */
  #begin(name: unknown, what: 'file' | 'field'): string | null {
    const { declared, isOpen } = this.#input.rules
    if (typeof name !== 'string') throw invalid('a part has no name')
    this.#part = name
    this.#refuseReplacement(name, `the name of the ${what} '${name}'`)
    if (!keepsName(name, this.#input.names)) return null
    if (declared !== null && !declared.has(name) && (what === 'file' || !isOpen))
      throw invalid(`the ${what} '${name}' is not declared in its schema`)
    if (this.#streaming !== '' && name !== this.#streaming)
      throw invalid(
        `the ${what} '${name}' comes behind the file '${this.#streaming}', which streams; send it before`,
      )
    return name
  }

  /** The parser of forms decodes text, and puts U+FFFD in the place of bytes that are not UTF-8. */
  #refuseReplacement(text: string, what: string): void {
    const { refuseText } = this.#input
    if (refuseText !== null && text.includes(REPLACEMENT))
      refuseText(byOption('bodyText', invalid(`${what} is not valid UTF-8`)))
  }

  /** The parser of forms decodes some charsets, and reads all others as UTF-8. */
  #refuseCharset(name: string): void {
    const charset = this.#heads.charsetOf(this.#taken)
    const { refuseText } = this.#input
    if (charset === null || refuseText === null) return
    const reason = `the field '${name}' has the charset ${charset.slice(0, MAX_SHOWN_LENGTH)}; only UTF-8 is read`
    refuseText(byOption('bodyText', invalid(reason)))
  }

  #takeField(given: unknown, value: string, isCut: boolean, type: string): void {
    const { rules, limit, parseJson } = this.#input
    const name = this.#begin(given, 'field')
    if (name === null) return
    this.#refuseCharset(name)
    this.#refuseReplacement(value, `the field '${name}'`)
    if (isCut) throw tooLarge(`the field '${name}' is longer than bodyLimit, ${limit} bytes`)
    if (rules.files.get(name)?.isTextToo === false)
      throw invalid(`'${name}' is declared as a file, and is none`)
    const isJson = type === 'application/json' || (rules.objects.has(name) && type === 'text/plain')
    try {
      this.#entries.push({ name, isList: false, value: isJson ? parseJson(value) : value })
    } catch (cause) {
      const problem = isInexact(cause) ? cause.message.replace(/^body/, '') : 'is not valid JSON'
      throw createError('FORM_INVALID', { reason: `the field '${name}' ${problem}` }, { cause })
    }
  }

  #takeFile(given: unknown, source: FileSource, filename: string, type: string): void {
    const { rules } = this.#input
    const name = this.#begin(given, 'file')
    if (name === null) {
      source.resume()
      return
    }
    this.#refuseReplacement(filename, `the filename of '${name}'`)
    const rule = rules.files.get(name) ?? ANY_FILE
    // Browsers send a file without a name and content for an empty file input.
    if (filename === '' && rule !== ANY_FILE && type === 'application/octet-stream') {
      source.resume()
      return
    }
    if (rule === ANY_FILE && rules.declared !== null)
      throw invalid(`'${name}' is declared as a field, and is a file`)
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    if (count > rule.maxItems) {
      throw invalid(
        rule.isList
          ? `'${name}' has more than ${rule.maxItems} files (maxItems)`
          : `the file '${name}' comes twice`,
      )
    }
    if (!admitsType(rule, type)) {
      throw invalid(`the file '${name}' is of the type ${type}, and must be ${rule.types.join(' or ')}`)
    }
    source.pause()
    this.#holdToLength(name, rule, source)
    if (rule.streams) this.#stream(name, rule, new StreamedFile(filename, type, source))
    else this.#keep(name, rule, source, (chunks) => new File(chunks, filename, { type }))
  }

  #holdToLength(name: string, { minLength, maxLength }: FileRule, source: FileSource): void {
    let size = 0
    source.on('data', (chunk) => {
      size += chunk.length
      if (size > maxLength)
        this.#fail(tooLarge(`the file '${name}' has more than ${maxLength} bytes (maxLength)`))
    })
    source.on('end', () => {
      if (size < minLength)
        this.#fail(invalid(`the file '${name}' has less than ${minLength} bytes (minLength)`))
    })
  }

  #stream(name: string, rule: FileRule, file: StreamedFile): void {
    this.#current?.release()
    this.#current = file
    if (this.#streaming === '') {
      this.#streaming = name
      this.#streamed = rule
      if (rule.isList) this.#list = new StreamedFiles()
      this.#entries.push({ name, isList: false, value: this.#list ?? file })
    }
    this.#list?.add(file)
    this.#settle()
  }

  #keep(
    name: string,
    { isList }: FileRule,
    source: FileSource,
    createFile: (chunks: Uint8Array<ArrayBuffer>[]) => File,
  ): void {
    const content = new ByteCollector<ArrayBuffer>()
    const entry: FormEntry = { name, isList, value: undefined }
    this.#entries.push(entry)
    this.#pending += 1
    source.on('data', (chunk) => {
      if (!this.#isOver) content.add(chunk.byteLength < MIN_KEPT ? new Uint8Array(chunk) : chunk)
    })
    source.on('end', () =>
      this.#guard(() => {
        entry.value = createFile(content.take())
        this.#pending -= 1
        this.#settle()
      }),
    )
    source.resume()
  }

  /**
   * Counts all bytes that arrive. The limit is `bodyLimit`, plus the most bytes of the streamed files once one has
   * begun.
   */
  #checkTotal(): void {
    const { maxLength, maxItems } = this.#streamed
    const most = this.#input.limit + maxLength * Math.min(maxItems, MAX_PARTS)
    if (this.#received - this.#parser.writableLength > most)
      this.#fail(tooLarge(`it has more than ${most} bytes (bodyLimit) ${this.#position()}`))
  }

  #position(): string {
    return this.#part === '' ? 'at its beginning' : `at or behind the part '${this.#part}'`
  }

  #settle(): void {
    if (this.#pending === 0 && this.#streaming !== '') this.#resolve(valuesOf(this.#entries))
  }

  #finish(): void {
    this.#checkTotal()
    if (this.#isOver) return
    if (this.#taken !== this.#heads.count)
      throw invalid(`it has ${this.#heads.count} parts, of which ${this.#taken} can be read`)
    const { minItems } = this.#streamed
    if ((this.#counts.get(this.#streaming) ?? 0) < minItems)
      throw invalid(`'${this.#streaming}' has less than ${minItems} files (minItems)`)
    this.#isOver = true
    this.#body.stop()
    this.#current?.release()
    this.#list?.settle('done')
    this.#resolve(valuesOf(this.#entries))
  }

  /** Rejects the form, or the streamed file that is being read. */
  #fail(error: unknown): void {
    this.#input.exchange.endConnection()
    this.#end(error)
  }

  #end(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#input.refused(error)
    this.#body.stop()
    this.#current?.fail(error)
    this.#list?.settle({ thrown: error })
    this.#reject(error)
  }
}

function ignore(): void {}
