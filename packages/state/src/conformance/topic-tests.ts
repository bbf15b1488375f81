import { deepEqual, equal } from 'node:assert/strict'

import { LogReaders } from '../topics/log-readers.ts'
import { StateTopic } from '../topics/topic.ts'
import type { SubscribeOptions, TopicEvent } from '../topics/types.ts'
import type { State } from '../types.ts'
import type { SuiteTest } from './bench.ts'

/** The longest time between two events. */
const MAX_MS = 5_000
const KEEP = { count: 100_000, ms: 600_000 }

/** Declares the topic of a test in one process. */
function topicIn(state: State, keep = KEEP): StateTopic {
  const settings = { state, keep, pollMs: 1000, outageMs: 1000 }
  const readers = new LogReaders()
  return new StateTopic({ name: 'test/:key', schema: {}, writer: () => JSON.stringify, readers, settings })
}

type Events = AsyncGenerator<TopicEvent<unknown>, void>

/** Reads an event; one that does not come is a failure. */
async function next(events: Events): Promise<TopicEvent<unknown>> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('an event did not come')), MAX_MS)
  })
  const result = await Promise.race([events.next(), deadline]).finally(() => clearTimeout(timer))
  if (result.done === true) throw new Error('the subscription ended')
  return result.value
}

/** Begins to subscribe, and waits until the subscription has begun. */
async function begin(topic: StateTopic, key: string): Promise<{ events: Events; start: string }> {
  const events = topic.subscribe({ key })
  return { events, start: String((await next(events)).id) }
}

/** Reads so many messages, and ends the subscription. */
async function take(events: Events, count: number): Promise<TopicEvent<unknown>[]> {
  const read: TopicEvent<unknown>[] = []
  while (read.length < count) {
    const event = await next(events)
    if (event.event !== undefined) read.push(event)
  }
  await events.return()
  return read
}

const dataOf = (events: readonly TopicEvent<unknown>[]): unknown[] =>
  events.map(({ event, data }) => (event === 'message' ? data : event))

/** The tests of topics, which are logs with subscriptions. */
export const TOPIC_TESTS: readonly SuiteTest[] = [
  [
    'subscribers in every process get what any process publishes, once and in one order',
    async ({ states, key: newKey }) => {
      const key = newKey()
      const topics = states.map((state) => topicIn(state))
      const begun = await Promise.all([...topics, ...topics].map((topic) => begin(topic, key)))
      const publish = async (topic: StateTopic, writer: number): Promise<void> => {
        for (let number = 0; number < 50; number++) await topic.publish({ key }, [writer, number])
      }
      const writing = topics.map(publish)
      const read = await Promise.all(begun.map(({ events }) => take(events, 100)))
      await Promise.all(writing)
      const [first = []] = read
      for (const other of read) deepEqual(other, first)
      equal(new Set(first.map(({ id }) => id)).size, 100)
      for (const writer of [0, 1])
        deepEqual(
          dataOf(first).filter((data) => Array.isArray(data) && data[0] === writer),
          Array.from({ length: 50 }, (_one, number) => [writer, number]),
        )
    },
  ],
  [
    'a subscriber that comes back with an id, in another process, gets what followed it',
    async ({ states: [one, two], key: newKey }) => {
      const key = newKey()
      const { events, start } = await begin(topicIn(one), key)
      const ids = [start]
      for (let number = 1; number <= 5; number++) ids.push(await topicIn(one).publish({ key }, number))
      deepEqual(dataOf(await take(events, 5)), [1, 2, 3, 4, 5])
      for (const [number, after] of ids.slice(0, 5).entries()) {
        const rest = await take(topicIn(two).subscribe({ key }, { after }), 5 - number)
        deepEqual(dataOf(rest), [1, 2, 3, 4, 5].slice(number))
      }
    },
  ],
  [
    'a subscriber that reads late gets all that is kept, from the log',
    async ({ states: [one, two], key: newKey }) => {
      const key = newKey()
      const topic = topicIn(two)
      const { events } = await begin(topic, key)
      const fast = topic.subscribe({ key })
      await next(fast)
      const all = Array.from({ length: 1200 }, (_one, number) => number)
      const writer = topicIn(one)
      const reading = take(fast, all.length)
      for (const number of all) await writer.publish({ key }, number)
      deepEqual(dataOf(await reading), all)
      deepEqual(dataOf(await take(events, all.length)), all)
      deepEqual(dataOf(await take(topic.subscribe({ key }, { from: 'oldest' }), all.length)), all)
    },
  ],
  [
    'an id that is too old, of another log or none at all yields a gap, and then what is kept',
    async ({ states: [one, two], key: newKey }) => {
      const [key, other] = [newKey(), newKey()]
      const topic = topicIn(one, { count: 3, ms: 600_000 })
      const { events, start } = await begin(topic, key)
      await events.return()
      const foreign = await topic.publish({ key: other }, 'other')
      const ids: string[] = []
      for (const data of ['a', 'b', 'c', 'd', 'e']) ids.push(await topic.publish({ key }, data))
      const behind = async (options: SubscribeOptions<unknown>, count: number): Promise<unknown> =>
        dataOf(await take(topicIn(two).subscribe({ key }, options), count)).join(' ')
      for (const after of [start, ids[0], foreign, 'x', '.', '0-0'])
        equal(await behind({ after }, 4), 'gap c d e', `after ${after}`)
      equal(await behind({ after: ids[1] }, 3), 'c d e')
      equal(await behind({ after: ids[3] }, 1), 'e')
    },
  ],
]
