import { UnitPrinter } from '../codegen/module.ts'
import type { CompilationUnit } from '../codegen/reference.ts'
import type { BuiltFunctions, Recorded, Recorder, SerializerUnits } from './built.ts'

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
  readonly text: string
}

const NO_JSON = 'its schema has values that JSON cannot represent'

/** Records the functions of an app, and prints them as the module that replaces `built.ts`. */
export class TableRecorder implements Recorder {
  readonly skipped: Skipped[] = []
  readonly entries: Map<string, Entry> = new Map()
  readonly #printer: UnitPrinter = new UnitPrinter()

  validator(asked: Recorded, write: () => CompilationUnit | null): void {
    this.#add('validators', asked, () => {
      const unit = write()
      return unit === null ? 'null' : `() => ${this.#printer.print(unit)}`
    })
  }

  serializer(asked: Recorded, write: () => SerializerUnits): void {
    this.#add('serializers', asked, () => {
      const { copies, text, copy } = write()
      const second = copy === null ? '' : `, copy: () => ${this.#printer.print(copy)}`
      return `{ copies: ${JSON.stringify(copies)}, text: () => ${this.#printer.print(text)}${second} }`
    })
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
    const table = (kind: Entry['kind']): string =>
      [...this.entries]
        .filter(([, entry]) => entry.kind === kind)
        .map(([key, { text }]) => `${JSON.stringify(key)}: ${text},\n`)
        .join('')
    const tables = `validators: {\n${table('validators')}}, serializers: {\n${table('serializers')}}`
    return [
      `import { Ahead } from ${JSON.stringify(`${modules}/ahead/ahead${ending}`)}\n`,
      this.#printer.head(`${modules}/runtime/index${ending}`),
      `const BUILT = { ${tables} }\n`,
      'export const createAhead = (options) => new Ahead(BUILT, options)\n',
    ].join('')
  }

  /** All of it as JSON: whose functions there are, what cannot be made, and the module. */
  table(modules: string): object {
    const places = [...this.entries].map(
      ([key, { method, url, part }]) => [key, { method, url, part }] as const,
    )
    return { entries: Object.fromEntries(places), skipped: this.skipped, text: this.print(modules) }
  }

  #add(kind: Entry['kind'], { key, part, route }: Recorded, print: () => string): void {
    const place = { method: route?.method ?? '', url: route?.url ?? '', part }
    if (key === undefined) {
      this.skipped.push({ ...place, reason: NO_JSON })
      return
    }
    try {
      this.entries.set(key, { ...place, kind, text: print() })
    } catch (error) {
      this.skipped.push({ ...place, reason: error instanceof Error ? error.message : String(error) })
    }
  }
}
