import type { Report } from './changes.ts'
import type { OperationPair } from './compare-operations.ts'
import { placeOf } from './compare-schemas.ts'
import type { SchemaComparison } from './compare-schemas.ts'
import { isObject, listOf, objectOf } from './json.ts'
import type { Json } from './json.ts'

/** Compares the messages of a WebSocket: those of the client as requests, those of the app as responses. */
export function compareSockets(
  { before, after }: OperationPair,
  report: Report,
  schemas: SchemaComparison,
): void {
  const [old, now] = [before['x-websocket'], after['x-websocket']]
  if (!isObject(old)) return
  if (!isObject(now)) {
    const message = 'the operation is no WebSocket any more'
    report({ level: 'error', check: 'websocket-removed', where: 'operation', message })
    return
  }
  for (const [part, side] of [
    ['incoming', 'request'],
    ['outgoing', 'response'],
  ] as const) {
    // Without a schema, any message is valid.
    schemas.compare(old[part] ?? true, now[part] ?? true, placeOf(side, `${part} message`))
  }
}

/** A topic as documents name it. */
interface Topic {
  readonly name: string
  readonly parameters: readonly unknown[]
  readonly keep: Json
}

const GONE = {
  'x-subscribes': 'clients get no messages of it',
  'x-publishes': 'requests do not reach its subscribers',
} as const

/** Compares the topics of an operation. The schemas of their messages are those of its bodies, items and sockets. */
export function compareTopics({ before, after }: OperationPair, report: Report): void {
  for (const key of ['x-subscribes', 'x-publishes'] as const) {
    const [old, now] = [topicsIn(before[key]), topicsIn(after[key])]
    for (const topic of old) {
      const where = `topic ${topic.name}`
      const next = successorOf(topic, old, now)
      if (next === undefined) report({ level: 'error', check: 'topic-removed', where, message: GONE[key] })
      else compareTopic(topic, next, report)
    }
  }
}

function topicsIn(stated: unknown): Topic[] {
  return listOf(stated).flatMap((one) => {
    const { topic, parameters, keep } = objectOf(one)
    return typeof topic === 'string'
      ? [{ name: topic, parameters: listOf(parameters), keep: objectOf(keep) }]
      : []
  })
}

/** Returns the topic with the same name, or a new one whose name differs in its parameters only. */
function successorOf({ name }: Topic, old: readonly Topic[], now: readonly Topic[]): Topic | undefined {
  const isNew = (one: Topic): boolean => old.every((other) => other.name !== one.name)
  return (
    now.find((one) => one.name === name) ??
    now.find((one) => isNew(one) && fixedPart(one.name) === fixedPart(name))
  )
}

function fixedPart(name: string): string {
  const parts = name.split('/').filter((part) => !part.startsWith(':'))
  return parts.join('/')
}

function compareTopic(before: Topic, after: Topic, report: Report): void {
  const where = `topic ${before.name}`
  const changed = (check: string, names: readonly unknown[], others: readonly unknown[]): void => {
    for (const name of names.filter((one) => !others.includes(one))) {
      const message = `parameter ${String(name)}; messages are in other logs, and ids of the old ones lead to a gap`
      report({ level: 'error', check, where, message })
    }
  }
  changed('topic-parameter-removed', before.parameters, after.parameters)
  changed('topic-parameter-added', after.parameters, before.parameters)
  for (const [limit, unit] of [
    ['count', 'messages'],
    ['ms', 'ms'],
  ] as const) {
    const [old, now] = [Number(before.keep[limit]), Number(after.keep[limit])]
    if (!(now < old)) continue
    const message = `keeps ${old} → ${now} ${unit}; clients that come back later get a gap`
    report({ level: 'warning', check: 'topic-replay-narrowed', where, message })
  }
}
