import { isRecord, mapValues } from '../guards.ts'
import type { Operation, Parameter, ResponseObject } from '../types.ts'
import { streamOf } from './version-3-2.ts'

const LAST_EVENT_ID: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'The id of the last event that the client has. What came later follows; for an id that is too old, or of another stream, the event `gap` comes first.',
  schema: { type: 'string' },
}

const EVENT_KINDS =
  'The event `message` has a message as its data, and its id. The event `gap`, without data, says that messages may be missing: read the current state anew. An id alone is a place to come back to.'

/** Returns the names of the topics under `x-subscribes` or `x-publishes` of an operation. */
export function topicNames(stated: unknown): string[] {
  return [stated]
    .flat()
    .flatMap((one) => (isRecord(one) && typeof one['topic'] === 'string' ? one['topic'] : []))
}

/** Adds to an event stream of topics how clients come back to it, and what its events mean. */
export function withReplay(operation: Operation): Operation {
  const { parameters = [], responses } = operation
  const isReplayed = topicNames(operation['x-subscribes']).length > 0
  if (!isReplayed || !Object.values(responses).some(isEventStream)) return operation
  const isKnown = parameters.some(
    ({ in: place, name }) => place === 'header' && /^last-event-id$/i.test(name),
  )
  const described = mapValues(responses, (one) =>
    isEventStream(one)
      ? {
          ...one,
          description: `${one.description}

${EVENT_KINDS}`,
        }
      : one,
  )
  return {
    ...operation,
    ...(isKnown ? {} : { parameters: [...parameters, LAST_EVENT_ID] }),
    responses: described,
  }
}

function isEventStream(response: Operation['responses'][string]): response is ResponseObject {
  return (
    'content' in response && Object.keys(response.content ?? {}).some((type) => streamOf(type) === 'events')
  )
}
