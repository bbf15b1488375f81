import { definePlugin } from 'cloister'
import type { DefinedPlugin } from 'cloister'
import { callSiteOf } from 'cloister/inspect'

import { isRecord, problemOf, required, rule, RULES, type Rules } from '../options.ts'
import { TopicError } from './errors.ts'
import { LogReaders } from './log-readers.ts'
import { compilePayload, type WritePayload } from './payload.ts'
import { paramsOf, StateTopic } from './topic.ts'
import type { DeclareTopic, Topic, TopicOptions, TopicsOptions } from './types.ts'

/** What the plugin provides, and its options. */
export interface TopicsContract {
  /** The decorators. */
  readonly provides: { readonly app: { readonly topic: DeclareTopic } }
  /** The options. */
  readonly options: TopicsOptions
}

const KEEP = rule(
  '{ count, ms }, whole numbers from 1 on',
  (value) => isRecord(value) && RULES.count.accepts(value['count']) && RULES.ms.accepts(value['ms']),
)

const OF_PLUGIN = {
  state: required(RULES.state),
  keep: KEEP,
  pollMs: RULES.timer,
  outageMs: RULES.ms,
}
const OF_TOPIC = { schema: required(RULES.any), keep: KEEP }

/** `prices/:symbol`: parts of letters, digits, `_`, `-` and `.`, some of them parameters. */
const NAME = /^(?:\w[\w.-]*|:\w+)(?:\/(?:\w[\w.-]*|:\w+))*$/

/**
 * Adds `app.topic`, which declares topics: logs of validated messages that all processes publish to and subscribe to.
 *
 * @throws {@link TopicError} `CLO_ERR_TOPIC_OPTION` when the app starts
 *
 * @example
 * ```ts
 * import { cloister, sse } from 'cloister'
 * import { memoryState } from '@cloister/state'
 * import { topics } from '@cloister/state/topics'
 *
 * const price = { type: 'object', required: ['bid'], properties: { bid: { type: 'number' } } } as const
 * const app = await cloister().register(topics, { state: memoryState() })
 * const prices = app.topic('prices/:symbol', { schema: price })
 *
 * const response = { 200: { content: { 'text/event-stream': { schema: price } } } } as const
 * app.get('/prices/:symbol', { schema: { response } }, async function* ({ params, lastEventId, signal }) {
 *   for await (const event of prices.subscribe(params, { after: lastEventId, signal })) yield sse(event)
 * })
 * await prices.publish({ symbol: 'X' }, { bid: 1 })
 * ```
 */
export const topics: DefinedPlugin<TopicsContract> = definePlugin<TopicsContract>({
  name: '@cloister/state/topics',
  once: 'context',
  ownOptions: true,
  plugin: (app, options) => {
    assertOptions(options, OF_PLUGIN, 'options of the topics')
    const { state, keep = { count: 1000, ms: 600_000 }, pollMs = 10_000, outageMs = 10_000 } = options
    const readers = new LogReaders()
    const writers = new Map<string, () => WritePayload>()
    app.addHook('onReady', async () => {
      for (const writer of writers.values()) writer()
      const then = `publish rejects, and subscriptions end with an error after ${outageMs} ms`
      app.log.info(`topics: while the state fails, ${then}`)
      await state.ready()
    })
    app.addHook('preClose', async () => readers.close())
    const declare = (name: string, given: TopicOptions<unknown>): Topic => {
      assertName(name, writers)
      assertOptions(given, OF_TOPIC, `options of the topic '${name}'`)
      const { schema } = given
      const callSite = callSiteOf(declare)
      let write: WritePayload | null = null
      const writer = (): WritePayload =>
        (write ??= compilePayload(schema, Object.values(app.getSchemas()), name, callSite))
      writers.set(name, writer)
      const settings = { state, keep: given.keep ?? keep, pollMs, outageMs }
      return new StateTopic({ name, schema, writer, readers, settings })
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of payloads follow from the schema, which is compiled at run time
    return app.decorate('topic', declare as DeclareTopic)
  },
})

/** @throws TopicError `CLO_ERR_TOPIC_OPTION` */
function assertOptions(given: object, rules: Rules, where: string): void {
  const problem = problemOf(given, rules, '')
  if (problem !== null) throw new TopicError('CLO_ERR_TOPIC_OPTION', `${problem} (${where})`)
}

/** @throws TopicError `CLO_ERR_TOPIC_OPTION` */
function assertName(name: string, declared: ReadonlyMap<string, unknown>): void {
  const text = String(name)
  const names = paramsOf(text)
  const problem =
    text !== name || !NAME.test(text)
      ? "must be parts of letters, digits, '.', '-' and '_', or parameters, such as 'prices/:symbol'"
      : new Set(names).size < names.length
        ? 'has a parameter twice'
        : declared.has(name)
          ? 'is declared twice'
          : null
  if (problem === null) return
  throw new TopicError('CLO_ERR_TOPIC_OPTION', `the name of the topic '${text}' ${problem}`)
}
