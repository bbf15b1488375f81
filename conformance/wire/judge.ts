// Holds what came back against what a case expects; each fault is one sentence.
import type { Driven } from './drive.ts'
import { readResponses } from './read-responses.ts'
import type { Received, WireResponse } from './read-responses.ts'
import type { Expectation, FirstResponse, Verdict, WireCase } from './wire-case.ts'

/** How often each handler ran. */
export type Hits = Readonly<Record<string, number>>

function toPattern(source: string): RegExp {
  return source.startsWith('(?i)') ? new RegExp(source.slice(4), 'i') : new RegExp(source)
}

function findHeaderFault(
  wanted: Readonly<Record<string, string | null>>,
  response: WireResponse,
): string | null {
  for (const [name, source] of Object.entries(wanted)) {
    const value = response.headers.get(name)
    if (source === null ? value !== undefined : value === undefined || !toPattern(source).test(value)) {
      return `header ${name}: ${value ?? 'missing'}`
    }
  }
  return null
}

function fits(wanted: FirstResponse, verdict: Verdict, response: WireResponse | undefined): boolean {
  if (wanted.oneOf !== undefined && !wanted.oneOf.includes(verdict)) return false
  if (response === undefined) return true
  if (wanted.header !== undefined && findHeaderFault(wanted.header, response) !== null) return false
  return (wanted.bodyHas ?? []).every((part) => response.body.includes(part))
}

function judgeResponses(
  wanted: Expectation,
  driven: Driven,
  { responses: received, interim }: Received,
): string[] {
  const faults: string[] = []
  const [first] = received
  const verdict = first?.status ?? (driven.isClosed ? 'close' : 'timeout')
  const choices = wanted.anyOf ?? [{ oneOf: wanted.oneOf ?? [verdict] }]
  if (!choices.some((choice) => fits(choice, verdict, first))) faults.push(`got ${verdict}`)
  const { responses } = wanted
  if (responses !== undefined) {
    const [least, most] = typeof responses === 'number' ? [responses, responses] : responses
    if (received.length < least || received.length > most) faults.push(`got ${received.length} responses`)
  }
  for (const [index, statuses] of (wanted.then ?? []).entries()) {
    const status = received[index + 1]?.status
    if (status !== undefined && !statuses.includes(status)) faults.push(`response ${index + 2} is ${status}`)
  }
  if (wanted.close === true && !driven.isClosed) faults.push('the connection was left open')
  if (wanted.interim !== undefined && wanted.interim.join() !== interim.join()) {
    faults.push(`interim responses: ${interim.join()}`)
  }
  return faults
}

function judgeContents(wanted: Expectation, { responses: received }: Received): string[] {
  const [first] = received
  if (first === undefined) return []
  const faults: string[] = []
  const headerFault = findHeaderFault(wanted.header ?? {}, first)
  if (headerFault !== null) faults.push(headerFault)
  for (const [name, source] of Object.entries(wanted.headerIfPresent ?? {})) {
    const value = first.headers.get(name)
    if (value !== undefined && !toPattern(source).test(value)) faults.push(`header ${name}: ${value}`)
  }
  const parts = [...(wanted.bodyHas ?? []), ...(first.status === 200 ? (wanted.bodyHasIf200 ?? []) : [])]
  for (const part of parts) if (!first.body.includes(part)) faults.push(`the body lacks ${part}`)
  for (const [index, part] of (wanted.bodiesInOrder ?? []).entries()) {
    const body = received[index]?.body
    if (body === undefined) continue
    if (part === '' ? body !== '' : !body.includes(part)) faults.push(`body ${index + 1} lacks ${part}`)
  }
  return faults
}

function judgeHits(wanted: Expectation, hits: Hits): string[] {
  const faults: string[] = []
  const total = Object.values(hits).reduce((sum, count) => sum + count, 0)
  if (wanted.mustNotReachHandler === true && total > 0) faults.push(`handlers ran: ${JSON.stringify(hits)}`)
  for (const name of wanted.notReached ?? [])
    if ((hits[name] ?? 0) > 0) faults.push(`the handler ${name} ran`)
  for (const [name, count] of Object.entries(wanted.reached ?? {})) {
    if ((hits[name] ?? 0) !== count) faults.push(`the handler ${name} ran ${hits[name] ?? 0} times`)
  }
  if (wanted.hitsMax !== undefined && total > wanted.hitsMax) faults.push(`handlers ran ${total} times`)
  return faults
}

/**
 * What is wrong with the outcome of a case; nothing when it is as expected.
 *
 * @param hits - the handlers that ran meanwhile; `null` where several cases ran side by side
 */
export function judge(wireCase: WireCase, driven: Driven, hits: Hits | null): readonly string[] {
  const wanted = wireCase.expect
  const received = readResponses(driven.text, wireCase.methods)
  const faults: string[] = received.fault === null ? [] : [received.fault]
  if (!driven.wasReset) {
    if (received.isPartial && received.responses.length === 0) faults.push('the response was cut short')
    faults.push(...judgeResponses(wanted, driven, received), ...judgeContents(wanted, received))
  }
  for (const part of wanted.bodyLacks ?? []) {
    if (received.responses.some(({ body }) => body.includes(part))) faults.push(`a body shows ${part}`)
  }
  for (const part of wanted.rawLacks ?? []) {
    if (driven.text.includes(part)) faults.push(`the bytes show ${JSON.stringify(part)}`)
  }
  return hits === null ? faults : [...faults, ...judgeHits(wanted, hits)]
}
