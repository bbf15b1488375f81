import { UnitPrinter } from '../codegen/module.ts'
import type { PrintedErrors } from '../validator/ajv/print.ts'
import type { BuiltFunctions, Recorded, Recorder, SerializerUnits, ValidatorUnits } from './built.ts'

/** A function that cannot be made ahead. */
export interface Skipped {
  readonly method: string
  readonly url: string
  readonly part: string
  readonly reason: string
}

/** A function that can. */
interface Entry extends Omit<Skipped, 'reason'> {
  readonly kind: 'validators' | 'serializers'
  /** Its texts in both modules. */
  readonly texts: Texts
}

type Texts = Readonly<Record<'built' | 'sealed', string>>

const NO_JSON = 'its schema has values that JSON cannot represent'

/** More text than this for errors is larger than what reads schemas to write them. */
const MAX_ERROR_TEXT = 100_000

/**
 * Records the functions of an app, and prints them as the module that replaces `built.ts`, or in a sealed build
 * `sealed/table.ts`.
 */
export class TableRecorder implements Recorder {
  readonly skipped: Skipped[] = []
  readonly entries: Map<string, Entry> = new Map()
  readonly #built: UnitPrinter = new UnitPrinter()
  readonly #sealed: UnitPrinter = new UnitPrinter()
  readonly #nullable: Map<string, boolean> = new Map()
  readonly #shared: Map<string, Set<string>> = new Map()
  readonly #refusals: Map<string, PrintedErrors> = new Map()
  /** What serializers read of own properties alone; the reader does that too. */
  readonly #ownTexts: Map<string, string> = new Map()
  readonly #mostErrorText: number
  #isReaderNeeded = false

  /** @param mostErrorText - the text for errors above which schemas are read instead */
  constructor(mostErrorText: number = MAX_ERROR_TEXT) {
    this.#mostErrorText = mostErrorText
  }

  validator(asked: Recorded, write: () => ValidatorUnits): void {
    this.#add('validators', asked, (key) => {
      const { accept, refuse } = write()
      if (refuse === null) this.#isReaderNeeded = true
      else this.#refusals.set(key, refuse)
      return {
        built: accept === null ? 'null' : `() => ${this.#built.print(accept)}`,
        sealed: accept === null ? 'null' : `() => ${this.#sealed.print(accept)}`,
      }
    })
  }

  serializer(asked: Recorded, write: () => SerializerUnits): void {
    this.#add('serializers', asked, (key) => {
      const { copies, text, own, copy, isRecursive } = write()
      if (isRecursive) this.#isReaderNeeded = true
      const print = (printer: UnitPrinter): string =>
        `copies: ${JSON.stringify(copies)}, text: () => ${printer.print(text)}${copy === null ? '' : `, copy: () => ${printer.print(copy)}`}`
      this.#ownTexts.set(key, this.#sealed.print(own))
      return { built: `{ ${print(this.#built)} }`, sealed: print(this.#sealed) }
    })
  }

  nullable({ key, ownKey, shared }: Recorded, isNullable: boolean): void {
    if (key === undefined || ownKey === undefined) return
    this.#nullable.set(key, isNullable)
    this.#noteShared(ownKey, shared)
  }

  /** The functions for an app that is being built: none, and this recorder. */
  get functions(): BuiltFunctions {
    return { validators: {}, serializers: {}, recorder: this }
  }

  /**
   * Prints the module.
   *
   * @param modules - the folder from which it imports the modules of this package
   * @param ending - that of the modules
   */
  print(modules: string, ending: string = '.js'): string {
    const tables = `validators: {\n${this.#rows('validators', 'built')}}, serializers: {\n${this.#rows('serializers', 'built')}}`
    return [
      `import { Ahead } from ${JSON.stringify(`${modules}/ahead/ahead${ending}`)}\n`,
      this.#built.head(`${modules}/runtime/index${ending}`),
      `const BUILT = { ${tables} }\n`,
      'export const createAhead = (options) => new Ahead(BUILT, options)\n',
    ].join('')
  }

  /** Prints the module of a sealed build. Its `ROUTES` are added by the command. */
  printSealed(modules: string, ending: string = '.js'): string {
    const size = [...this.#refusals.values()].reduce((sum, { text }) => sum + text.length, 0)
    const isRead = this.#isReaderNeeded || size > this.#mostErrorText
    const validators = this.#rows('validators', 'sealed', (key, accept) => {
      const refuse = isRead ? undefined : this.#refusals.get(key)?.text
      return `{ accept: ${accept}, refuse: ${refuse === undefined ? 'null' : `() => ${refuse}`} }`
    })
    const serializers = this.#rows('serializers', 'sealed', (key, text) => {
      const own = isRead ? undefined : this.#ownTexts.get(key)
      return `{ ${text}${own === undefined ? '' : `, own: () => ${own}`} }`
    })
    const reader = `import { createReader } from ${JSON.stringify(`${modules}/sealed/reader${ending}`)}\n`
    const shared = [...this.#shared]
      .filter(([, lists]) => lists.size > 1 || !lists.has('[]'))
      .map(([key, lists]) => `${JSON.stringify(key)}: [${[...lists].join()}]`)
    const members = [
      `validators: {\n${validators}}`,
      `serializers: {\n${serializers}}`,
      `nullable: ${JSON.stringify(Object.fromEntries(this.#nullable))}`,
      `shared: { ${shared.join(', ')} }`,
      'routes: ROUTES',
      isRead ? 'createReader' : 'createReader: null',
    ]
    return [
      isRead ? reader : '',
      this.#sealed.head(
        `${modules}/runtime/index${ending}`,
        isRead ? [] : [...this.#refusals.values()].flatMap(({ imports }) => imports),
      ),
      `export const SEALED = { ${members.join(', ')} }\n`,
    ].join('')
  }

  /** All of it as JSON: whose functions there are, what cannot be made, and the modules. */
  table(modules: string): object {
    const places = [...this.entries].map(
      ([key, { method, url, part }]) => [key, { method, url, part }] as const,
    )
    return {
      entries: Object.fromEntries(places),
      skipped: this.skipped,
      text: this.print(modules),
      sealed: this.printSealed(modules),
    }
  }

  #rows(
    kind: Entry['kind'],
    form: keyof Texts,
    value: (key: string, text: string) => string = (_key, text) => text,
  ): string {
    return [...this.entries]
      .filter(([, entry]) => entry.kind === kind)
      .map(([key, { texts }]) => `${JSON.stringify(key)}: ${value(key, texts[form])},\n`)
      .join('')
  }

  #noteShared(ownKey: string, ids: readonly string[]): void {
    const lists = this.#shared.get(ownKey) ?? new Set()
    this.#shared.set(ownKey, lists.add(JSON.stringify(ids)))
  }

  #add(
    kind: Entry['kind'],
    { key, ownKey, shared, part, route }: Recorded,
    print: (key: string) => Texts,
  ): void {
    const place = { method: route?.method ?? '', url: route?.url ?? '', part }
    if (key === undefined || ownKey === undefined) {
      this.skipped.push({ ...place, reason: NO_JSON })
      return
    }
    try {
      this.entries.set(key, { ...place, kind, texts: print(key) })
      this.#noteShared(ownKey, shared)
    } catch (error) {
      this.skipped.push({ ...place, reason: error instanceof Error ? error.message : String(error) })
    }
  }
}
