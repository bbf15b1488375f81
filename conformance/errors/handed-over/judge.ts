// Plays a case, and says what is wrong with its response, its sources and its log.
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { createLogSink } from '../../harness/log-lines.ts'
import type { LogLine } from '../../harness/log-lines.ts'
import { StrictClient, write } from '../../responses/lanes.ts'
import type { Asked, Lane, Question } from '../../responses/lanes.ts'
import type { ReadResponse } from '../../responses/strict-client.ts'
import { defineApp } from './define-app.ts'
import type { Story } from './define-app.ts'
import type { Case } from './draw.ts'
import { WHOLES } from './sources.ts'
import type { Handed } from './sources.ts'

/** What has not happened after so many looks, of ten milliseconds, does not happen. */
const MAX_LOOKS = 500

/** Plays a case over a transport. @returns what is wrong */
export async function playCase(lane: Lane, given: Case): Promise<readonly string[]> {
  const log = createLogSink()
  const app = lane.createApp({ logger: { level: 'info', stream: log.stream } })
  const story: Story = { handed: [], begun: 0, ends: 0, onError: 0 }
  defineApp(app, given, story)
  const { method } = given
  const lines = given.plugin === 'compress' ? ['Accept-Encoding: gzip'] : []
  const question: Question =
    method === 'POST'
      ? { method, path: '/case', lines: [...lines, 'Content-Type: application/json'], body: '"text"' }
      : { method, path: '/case', lines }
  const asked = given.leavesAfter < 0 ? await lane.ask(app, question) : null
  if (asked === null) {
    const client = await StrictClient.open(app)
    client.write(write(question))
    await pause(given.leavesAfter)
    client.socket.destroy()
  }
  const judge = (): string[] => judgeStory(given, story, asked, log.lines)
  for (let look = 0; look < MAX_LOOKS && judge().length > 0; look++) await pause(10)
  const found = [...(asked === null ? [] : judgeResponse(given, asked)), ...judge()]
  await app.close()
  return found
}

/** A response is that of its source or of an error, whole, or the connection is cut. */
function judgeResponse({ end, place, method }: Case, { first, next, faults }: Asked): string[] {
  // A response that is cut ends the connection before the next one.
  const isAllowed = (fault: string): boolean => first?.isComplete !== true && fault.startsWith('a request')
  const found = faults.filter((fault) => !isAllowed(fault))
  if (first === null || !first.isComplete) {
    const mayFail = end !== 'whole' || place === 'the handler sends before another'
    return mayFail ? found : [...found, 'a source that does not fail has no whole response']
  }
  const closes = first.fields.get('connection')?.join().includes('close') === true
  if (next !== 'next' && !closes) found.push(`the next response is ${next}`)
  const content = contentOf(first)
  const isBare = method === 'HEAD' || first.status === 204 || first.status === 304
  const wholes = isBare ? [''] : ['', 'text', ...WHOLES]
  if (!wholes.includes(content) && !isError(content)) found.push(`looks whole: ${content.slice(0, 80)}`)
  return found
}

function contentOf({ content, fields }: ReadResponse): string {
  const isCoded = content !== '' && fields.get('content-encoding')?.join() === 'gzip'
  return isCoded ? gunzipSync(Buffer.from(content, 'latin1')).toString() : content
}

const isError = (content: string): boolean => content.startsWith('{"statusCode":')

/** The request ends once, with nothing open, and each failure that the application has not heard of is logged once. */
function judgeStory(given: Case, story: Story, asked: Asked | null, lines: readonly LogLine[]): string[] {
  const { begun, ends, onError, handed } = story
  const found: string[] = []
  if (ends !== begun) found.push(`${begun} requests have ended ${ends} times`)
  if (onError > 1) found.push(`onError ran ${onError} times`)
  // A body that nobody has read is its client's.
  const isBody = given.place === 'preParsing replaces'
  for (const one of handed) {
    if (!isBody && !one.isClosed()) found.push(`${one.name} is open`)
    found.push(...judgeLines(given, one, asked, lines))
  }
  return found
}

function judgeLines(given: Case, one: Handed, asked: Asked | null, lines: readonly LogLine[]): string[] {
  const { message } = one.error
  const count = lines.filter(({ err }) => Reflect.get(Object(err), 'message') === message).length
  // The plugin writes a line of its own.
  const most = given.plugin === 'compress' ? 2 : 1
  const first = asked?.first ?? null
  const isSeen = first !== null && first.isComplete && contentOf(first).includes(message)
  // It reads the source, which may fail for it alone, later than the response is dropped.
  const isOfPlugin = given.plugin === 'compress' && given.end !== 'fails before'
  const isLost = count === 0 && (isSeen || (one.isUnheard && asked !== null && !isOfPlugin))
  const found = isLost ? [`${one.name} has failed without a line`] : []
  return count <= most ? found : [...found, `${one.name} has failed with ${count} lines`]
}
