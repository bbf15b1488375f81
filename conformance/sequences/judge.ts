// Plays a connection, and says what is wrong with what its client has seen and with what ran on the server.
import type { App } from '../harness/app-shape.ts'
import { factory } from '../harness/subject.ts'
import { announcesEnd } from './clients.ts'
import type { Lane, Seen } from './clients.ts'
import { BODY_LIMIT, defineApp, defineUpgrade } from './define-app.ts'
import type { Mistake, Story } from './define-app.ts'
import { isBroken } from './draw.ts'
import type { Asked, Case } from './draw.ts'
import { contentOf } from './handlers.ts'

/** A client waits no longer for a response: the machine may be busy. */
const HANG_MS = 20_000

/** Plays a case. @returns what is wrong */
export async function playCase(
  lane: Lane,
  given: Case,
  mistake?: Mistake,
  ms: number = HANG_MS,
): Promise<readonly string[]> {
  const app: App = factory({
    bodyLimit: BODY_LIMIT,
    logger: false,

    ...lane.options,
  })
  const stories = new Map<string, Story>()
  defineApp(app, given, stories, mistake)
  if (lane.hasUpgrade) defineUpgrade(app)
  const hasSettled = (): boolean => [...stories.values()].every(({ begun, ends }) => ends.length >= begun)
  const seen = await lane.play(app, given, { hasSettled, ms })
  await app.close()
  return [
    ...seen.faults,
    ...judgeResponses(given, seen),
    ...judgeEnd(given, seen, stories, lane.hasConnection),
    ...judgeStories(stories),
  ]
}

/** Each request that began ends once. */
function judgeStories(stories: ReadonlyMap<string, Story>): string[] {
  return [...stories].flatMap(([id, { begun, ends }]) => [
    ...(begun === 1 ? [] : [`request ${id} began ${begun} times`]),
    ...(ends.length === 1 ? [] : [`request ${id} ended ${ends.length} times: ${ends.join()}`]),
  ])
}

/** Each response is that of its request, and whole. */
function judgeResponses({ requests, client }: Case, { responses }: Seen): string[] {
  const found: string[] = []
  for (const [index, response] of responses.entries()) {
    const asked = requests[index]
    if (asked === undefined || response === null) continue
    const token = response.fields.get('x-token')?.join() ?? String(index)
    if (token !== String(index)) found.push(`request ${index} has the response of request ${token}`)
    if (response.isComplete) found.push(...judgeContent(asked, index, response.status, response.content))
    else if (client === 'waits' && !mayFail(asked)) found.push(`the response to request ${index} is cut`)
  }
  return found
}

/** A client that waits gets all responses; or the last one announces the end of the connection, or is cut. */
function judgeEnd(
  { requests, client, closesAt }: Case,
  { responses, end, sent }: Seen,
  stories: ReadonlyMap<string, Story>,
  hasConnection: boolean,
): string[] {
  if (client !== 'waits') return []
  const last = responses.at(-1) ?? null
  const isAnnounced = hasConnection && last !== null && (announcesEnd(last) || !last.isComplete)
  // An app that closes ends connections between two requests, and so does a transport after what is no request.
  const mayEnd = isAnnounced || closesAt !== -1 || (hasConnection && requests.some(isBroken))
  const found = mayEnd || end === 'open' ? [] : [`the connection has ${end} without an announcement`]
  for (const [index, asked] of requests.slice(0, sent).entries()) {
    if ((responses[index] ?? null) !== null) continue
    const hasRun = stories.has(String(index))
    if (hasRun ? !mayFail(asked) : !mayEnd) found.push(`request ${index} has no response`)
  }
  return found
}

/** Whether the response to a request may be cut. */
function mayFail(asked: Asked): boolean {
  return asked.handler === 'streams, and fails later'
}

/** A response of a handler has all that it gave. */
function judgeContent(asked: Asked, index: number, status: number, content: string): string[] {
  if (asked.stop !== null || asked.fails !== 'nothing' || status >= 400) return []
  const expected = contentOf(asked, String(index))
  const isBare = asked.method === 'HEAD' || status === 204 || status === 304
  if (isBare) return content === '' ? [] : [`the response to request ${index} has a content`]
  if (expected === null) return [`the response to request ${index} looks whole, and is not`]
  return content === expected ? [] : [`the response to request ${index} has another content`]
}
