import declarations from '../types.generated.json?url'
import TypesWorker from './types.worker.ts?worker'

/** Something that the compiler has against a part of the text. */
export interface Problem {
  readonly from: number
  readonly to: number
  readonly message: string
  /** Whether no browser can read the text. */
  readonly isSyntax: boolean
}

/** A name that may follow. */
export interface Completion {
  readonly name: string
  readonly kind: string
  readonly sortText: string
}

/** What a name is. */
export interface NameFacts {
  readonly from: number
  readonly to: number
  readonly type: string
  readonly says: string
}

/** What the editor asks the compiler. */
export type TypesQuestion =
  | { readonly kind: 'load'; readonly files: Readonly<Record<string, string>> }
  | { readonly kind: 'problems' }
  | { readonly kind: 'completions'; readonly position: number }
  | { readonly kind: 'hover'; readonly position: number }

interface Values {
  load: undefined
  problems: readonly Problem[]
  completions: readonly Completion[]
  hover: NameFacts | null
}

/** What the compiler says to a question. */
export type TypesValueOf<Kind extends TypesQuestion['kind']> = Values[Kind]

/** The compiler of TypeScript in a worker. It and the declarations are loaded with the first question. */
export class Types {
  #worker: Promise<Worker> | null = null
  readonly #waiting: Map<number, (value: never) => void> = new Map()
  #last = 0

  get isLoaded(): boolean {
    return this.#worker !== null
  }

  /** Loads the compiler. */
  async load(): Promise<void> {
    await (this.#worker ??= this.#start())
  }

  async problems(text: string): Promise<readonly Problem[]> {
    return this.#ask(text, { kind: 'problems' })
  }

  async completions(text: string, position: number): Promise<readonly Completion[]> {
    return this.#ask(text, { kind: 'completions', position })
  }

  async hover(text: string, position: number): Promise<NameFacts | null> {
    return this.#ask(text, { kind: 'hover', position })
  }

  async #start(): Promise<Worker> {
    const files: Record<string, string> = await (await fetch(declarations)).json()
    const worker = new TypesWorker()
    worker.addEventListener('message', ({ data: { id, value } }) => {
      this.#waiting.get(id)?.(value as never)
      this.#waiting.delete(id)
    })
    await this.#post(worker, '', { kind: 'load', files })
    return worker
  }

  async #ask<Question extends TypesQuestion>(
    text: string,
    question: Question,
  ): Promise<Values[Question['kind']]> {
    return this.#post(await (this.#worker ??= this.#start()), text, question)
  }

  #post<Question extends TypesQuestion>(
    worker: Worker,
    text: string,
    question: Question,
  ): Promise<Values[Question['kind']]> {
    return new Promise((resolve) => {
      this.#waiting.set(++this.#last, resolve as (value: never) => void)
      worker.postMessage({ id: this.#last, text, question })
    })
  }
}
