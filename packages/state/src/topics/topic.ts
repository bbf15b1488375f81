import { problemOf, RULES } from '../options.ts'
import { TopicError } from './errors.ts'
import { EventIds } from './event-id.ts'
import type { LogReaders } from './log-readers.ts'
import type { ReaderSettings } from './log-reader.ts'
import type { WritePayload } from './payload.ts'
import { subscribe } from './subscription.ts'
import type { SubscribeOptions, Topic, TopicDescription, TopicEvent } from './types.ts'

/** What a topic is made of. */
export interface TopicParts {
  readonly name: string
  readonly schema: unknown
  /** compiles the schema when it is first needed, since shared schemas may come later */
  readonly writer: () => WritePayload
  readonly readers: LogReaders
  readonly settings: ReaderSettings
}

type Values = Readonly<Record<string, unknown>>

const SUBSCRIBE_RULES = {
  after: RULES.any,
  from: RULES.any,
  signal: RULES.any,
  where: RULES.fn,
}

/** A declared topic. Its logs are named after it and the values of its parameters. */
export class StateTopic implements Topic {
  readonly #parts: TopicParts
  readonly #params: readonly string[]

  constructor(parts: TopicParts) {
    this.#parts = parts
    this.#params = paramsOf(parts.name)
  }

  get name(): string {
    return this.#parts.name
  }

  get schema(): unknown {
    return this.#parts.schema
  }

  toJSON(): TopicDescription {
    return { topic: this.name, parameters: this.#params, keep: this.#parts.settings.keep }
  }

  async publish(params: Values, payload: unknown): Promise<string> {
    const { writer, settings } = this.#parts
    const { state, keep } = settings
    const log = this.#logOf(params)
    const text = await writer()(payload)
    return new EventIds(log, keep.ms).idOf(await state.append(log, text, keep))
  }

  subscribe(
    params: Values,
    options: SubscribeOptions<unknown> = {},
  ): AsyncGenerator<TopicEvent<unknown>, void> {
    const { name, readers, settings } = this.#parts
    const problem = problemOf(options, SUBSCRIBE_RULES, '')
    if (problem !== null)
      throw new TopicError('CLO_ERR_TOPIC_OPTION', `subscribe of the topic '${name}': ${problem}`)
    const log = this.#logOf(params)
    return subscribe({ log, ids: new EventIds(log, settings.keep.ms), readers, settings }, options)
  }

  #logOf(params: Values): string {
    const { name } = this.#parts
    const values = this.#params.map((param) => {
      const value: unknown = Reflect.get(Object(params), param)
      if (Number.isFinite(value) || (typeof value === 'string' && value !== '')) return String(value)
      const problem = `the topic '${name}' needs the parameter '${param}', a text or a finite number`
      throw new TopicError('CLO_ERR_TOPIC_PARAMS', problem)
    })
    return `topic:${JSON.stringify([name, ...values])}`
  }
}

/** Returns the names of the parameters of a topic. */
export function paramsOf(name: string): string[] {
  return [...name.matchAll(/:(\w+)/g)].map(([, param = '']) => param)
}
