import { COLON, SPACE, isWord, octetsOf, tableOf } from './octets.ts'
import type { HeadScanner } from './head-scanner.ts'
import { FAULTS, MALFORMED, UNUSUAL, type Fault, type HandOverReason } from './verdicts.ts'
import { MAX_PORT, isHost as isHostText } from '../message/host.ts'

/** Facts about a message, stated by the fields of its head. */
export const HAS_HOST = 1
export const NAMES_CONNECTION = 2
export const SAYS_CLOSE = 4
export const HAS_LENGTH = 8
export const IS_CHUNKED = 16
export const EXPECTS_CONTINUE = 32
/** The head is well-formed, but breaks a rule that is not about its grammar. */
export const IS_INADMISSIBLE = 64

/** Returns a verdict, or 0 to continue. */
type Judge = (head: HeadScanner, bytes: Buffer, start: number, end: number) => number

interface FieldRule {
  readonly name: Uint8Array
  /** whether white space around the value, other than one space before it, is left to Node's parser, which has its own rules for it */
  readonly wantsPlainSpace: boolean
  readonly judge: Judge
  /** the reason when the rule hands the head over to Node */
  readonly unusual: HandOverReason
}

const GO_ON = 0
const CLOSE = octetsOf('close')
const KEEP_ALIVE = octetsOf('keep-alive')
const CHUNKED = octetsOf('chunked')
const CONTINUE = octetsOf('100-continue')
/** up to this length every number is a safe integer */
const MAX_DIGITS = 15
const ZERO = 48

const PLAIN: Uint8Array = tableOf((character) => (/[\w.~-]/.test(character) ? 1 : 0))

/** Requires exactly one valid Host (RFC 9112 section 3.2). */
const judgeHost: Judge = (head, bytes, start, end) => {
  if ((head.flags & HAS_HOST) !== 0 || !isHost(bytes, start, end)) head.flags |= IS_INADMISSIBLE
  head.flags |= HAS_HOST
  return GO_ON
}

/**
 * Accepts `close` or `keep-alive` (RFC 9112 section 9.6), and the options of an upgrade that is ignored; others are left
 * to Node.
 */
const judgeConnection: Judge = (head, bytes, start, end) => {
  if ((head.flags & NAMES_CONNECTION) !== 0) return UNUSUAL
  head.flags |= NAMES_CONNECTION
  if (isWord(bytes, start, end, CLOSE)) head.flags |= SAYS_CLOSE
  else if (!isWord(bytes, start, end, KEEP_ALIVE)) return judgeOptions(head, bytes, start, end)
  return GO_ON
}

/** Options of requests for another protocol (RFC 9110 section 7.8, RFC 7540 section 3.2.1). */
const OF_UPGRADE: readonly string[] = ['upgrade', 'http2-settings', 'keep-alive', 'close']

const judgeOptions: Judge = (head, bytes, start, end) => {
  if (head.mayUpgrade()) return UNUSUAL
  const options = bytes.toString('latin1', start, end).toLowerCase().split(',')
  const names = options.map((option) => option.trim())
  if (!names.every((name) => OF_UPGRADE.includes(name))) return UNUSUAL
  if (names.includes('close')) head.flags |= SAYS_CLOSE
  return GO_ON
}

/** Requires one length, of digits only (RFC 9110 section 8.6), and no coding beside it (RFC 9112 section 6.3). */
const judgeLength: Judge = (head, bytes, start, end) => {
  if ((head.flags & HAS_LENGTH) !== 0) return refuse(head, FAULTS.lengthTwice)
  if ((head.flags & IS_CHUNKED) !== 0) return refuse(head, FAULTS.bothFramings)
  head.flags |= HAS_LENGTH
  // Zeros before a number do not change it.
  let first = start
  while (first < end - 1 && bytes[first] === ZERO) first++
  if (start === end || end - first > MAX_DIGITS) return refuse(head, FAULTS.length)
  const length = readDigits(bytes, first, end)
  if (length < 0) return refuse(head, FAULTS.length)
  head.bodyLength = length
  return GO_ON
}

/** Accepts `chunked` alone, once (RFC 9112 section 6.1). Leaves lists of codings to Node, and refuses an empty one. */
const judgeCoding: Judge = (head, bytes, start, end) => {
  if ((head.flags & HAS_LENGTH) !== 0) return refuse(head, FAULTS.bothFramings)
  if (start === end || (head.flags & IS_CHUNKED) !== 0) return refuse(head, FAULTS.coding)
  if (!isWord(bytes, start, end, CHUNKED)) return UNUSUAL
  head.flags |= IS_CHUNKED
  return GO_ON
}

/** Accepts `100-continue` (RFC 9110 section 10.1.1); Node responds to every other expectation. */
const judgeExpect: Judge = (head, bytes, start, end) => {
  if (!isWord(bytes, start, end, CONTINUE)) return UNUSUAL
  head.flags |= EXPECTS_CONTINUE
  return GO_ON
}

const rememberType: Judge = (head, _bytes, start, end) => {
  if (head.typeEnd !== 0) return GO_ON
  head.typeStart = start
  head.typeEnd = end
  return GO_ON
}

/**
 * Ignores a request for another protocol that no listener takes (RFC 9110 section 7.8): Node's parser drops the bytes after
 * it. Others are left to Node.
 */
const judgeUpgrade: Judge = (head) => (head.mayUpgrade() ? UNUSUAL : GO_ON)

/** Node's parser reads Proxy-Connection as Connection. */
const leaveToNode: Judge = () => UNUSUAL

const SPACED = 'white space around a value'

/** The names of these fields all have different lengths, so the length finds the rule. */
const RULES: readonly (FieldRule | undefined)[] = byLength([
  rule('host', judgeHost, SPACED),
  rule('expect', judgeExpect, 'Expect'),
  rule('upgrade', judgeUpgrade, 'Upgrade', false),
  rule('connection', judgeConnection, 'Connection'),
  rule('content-type', rememberType, SPACED, false),
  rule('content-length', judgeLength, SPACED),
  rule('proxy-connection', leaveToNode, 'Proxy-Connection', false),
  rule('transfer-encoding', judgeCoding, 'Transfer-Encoding'),
])

function rule(name: string, judge: Judge, unusual: HandOverReason, wantsPlainSpace = true): FieldRule {
  return { name: octetsOf(name), wantsPlainSpace, judge, unusual }
}

function byLength(rules: readonly FieldRule[]): readonly (FieldRule | undefined)[] {
  return Array.from({ length: 32 }, (_, length) => rules.find(({ name }) => name.length === length))
}

function refuse(head: HeadScanner, fault: Fault): number {
  head.fault = fault
  return MALFORMED
}

/** Applies the rule for the field that the scanner has just read. @returns a verdict, or 0 to continue */
export function judgeField(head: HeadScanner, bytes: Buffer): number {
  const { nameStart, nameEnd, valueStart, valueEnd, lineEnd } = head
  const rule = RULES[nameEnd - nameStart]
  if (rule === undefined || !isWord(bytes, nameStart, nameEnd, rule.name)) return GO_ON
  const blanks = valueStart - nameEnd - 1
  const isPlain = blanks === 0 || (blanks === 1 && bytes[nameEnd + 1] === SPACE)
  if (rule.wantsPlainSpace && !(isPlain && valueEnd === lineEnd)) {
    head.unusual = SPACED
    return UNUSUAL
  }
  const verdict = rule.judge(head, bytes, valueStart, valueEnd)
  if (verdict === UNUSUAL) head.unusual = rule.unusual
  return verdict
}

/**
 * Whether octets are a valid Host value, by the same rule as for texts. Plain names, which nearly all hosts are, are
 * checked without creating a string.
 */
export function isHost(bytes: Buffer, start: number, end: number): boolean {
  let at = start
  while (at < end && PLAIN[bytes[at] ?? 0] === 1) at++
  if (at === end) return true
  if (bytes[at] === COLON) {
    const port = readDigits(bytes, at + 1, end)
    return port >= 0 && port <= MAX_PORT
  }
  return isHostText(bytes.toString('latin1', start, end))
}

/** Reads a number, which may be empty. @returns a negative number if it has anything but digits */
function readDigits(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let i = start; i < end; i++) {
    const digit = (bytes[i] ?? 0) - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}
