import { shown } from '../options.ts'
import { TopicError } from './errors.ts'
import type { TopicDescription } from './types.ts'

/** A topic, as `app.topic` returns it. */
export type DescribedTopic = object & { toJSON(): TopicDescription }

/**
 * Says in the schema of a route that it sends messages of topics, so that documents, `explain` and `diff` have it.
 *
 * @throws {@link TopicError} `CLO_ERR_TOPIC_OPTION` for anything but a topic
 *
 * @example
 * ```ts
 * import { cloister, sse } from 'cloister'
 * import { memoryState } from '@cloister/state'
 * import { subscribes, topics } from '@cloister/state/topics'
 *
 * const app = await cloister().register(topics, { state: memoryState() })
 * const news = app.topic('news', { schema: { type: 'string' } })
 * const response = { 200: { content: { 'text/event-stream': { schema: news.schema } } } } as const
 * app.get('/news', { schema: { response, ...subscribes(news) } }, async function* ({ lastEventId, signal }) {
 *   for await (const event of news.subscribe({}, { after: lastEventId, signal })) yield sse(event)
 * })
 * ```
 */
export function subscribes(...topics: readonly DescribedTopic[]): {
  readonly 'x-subscribes': readonly DescribedTopic[]
} {
  return { 'x-subscribes': checked(topics, 'subscribes') }
}

/**
 * Says in the schema of a route that it publishes to topics, so that documents, `explain` and `diff` have it.
 *
 * @throws {@link TopicError} `CLO_ERR_TOPIC_OPTION` for anything but a topic
 *
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 * import { memoryState } from '@cloister/state'
 * import { publishes, topics } from '@cloister/state/topics'
 *
 * const app = await cloister().register(topics, { state: memoryState() })
 * const news = app.topic('news', { schema: { type: 'string' } })
 * app.post('/news', { schema: { body: news.schema, ...publishes(news) } }, async ({ body }) => {
 *   await news.publish({}, body)
 *   return null
 * })
 * ```
 */
export function publishes(...topics: readonly DescribedTopic[]): {
  readonly 'x-publishes': readonly DescribedTopic[]
} {
  return { 'x-publishes': checked(topics, 'publishes') }
}

/** Types don't stop a topic that is still a promise, or one of JavaScript that is missing. */
function checked(topics: readonly DescribedTopic[], caller: string): readonly DescribedTopic[] {
  const other = topics.findIndex((topic) => typeof Reflect.get(Object(topic), 'toJSON') !== 'function')
  if (other === -1 && topics.length > 0) return topics
  const got = topics.length === 0 ? 'nothing' : shown(topics[other])
  throw new TopicError(
    'CLO_ERR_TOPIC_OPTION',
    `${caller}() takes topics, as app.topic returns them, not ${got}`,
  )
}
