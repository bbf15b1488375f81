// A second reader of requests, written from the RFCs alone, agrees with the engine and with Node's parser on verdict,
// method, target, fields, framing, content and end, however the bytes were cut on their way.
import { expect, it } from 'vitest'
import { Random } from '../../../packages/schema/test/validator/random.ts'
import { agrees } from './agrees.ts'
import { drawMessage } from './draw-message.ts'
import { readMessage } from './read-message.ts'
import { createNodeReader, readByEngine } from './readers.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_122)
const MESSAGES = Number(process.env['CLOISTER_REFERENCE_MESSAGES'] ?? 20_000)
const SHOWN = 5

const UPGRADES = /^connection:[ \t]*upgrade/im

/** What Node's parser accepts although the reference does not, by the rule that is broken, and who decides then. */
const LAXER: Readonly<Record<string, string>> = {
  'request-line':
    'RFC 9112, 3: a recipient may split the line at white space, and Node takes more than one space',
  method: 'RFC 9112, 2.2: a server should ignore empty lines before a request line, and Node does',
  'origin-form': 'RFC 9112, 3.2.2: other forms of targets, which admission checks; octets above ASCII',
  'HTTP-version': 'RFC 9112, 2.3: Node takes versions of other protocols, which admission refuses',
  'HTTP/1.1': 'RFC 9110, 2.5: Node takes other versions, of which admission serves 1.0',
  'one Host': 'RFC 9112, 3.2: admission checks it',
  Host: 'RFC 9110, 7.2: admission checks it',
  Connection: 'RFC 9110, 7.6.1: Node looks for the options that it knows',
  'no length beside a coding': 'RFC 9112, 6.1: Node takes an empty coding for none, and admission refuses it',
  'chunk-ext':
    'RFC 9112, 7.1.1: a recipient ignores extensions that it does not know, and Node looks at few of their octets',
  'chunked alone': 'RFC 9112, 6.1: other codings before chunked, which admission refuses',
}

/** Draws a text: a request and the beginning of another one, now and then with octets changed. */
function drawText(random: Random): string {
  return drawMessage(random) + 'GET /next HTTP/1.1\r\nHost: next\r\n\r\n'
}

function drawCuts(random: Random, length: number): number[] {
  const kind = random.below(4)
  if (kind === 0) return Array.from({ length }, (_, index) => index + 1)
  const count = kind === 1 ? 1 : 1 + random.below(6)
  return Array.from({ length: count }, () => 1 + random.below(length)).sort((a, b) => a - b)
}

it(`the engine reads ${MESSAGES} random requests as the reference does (CLOISTER_SEED=${SEED})`, () => {
  const random = new Random(SEED)
  const differences: unknown[] = []
  for (let count = 0; count < MESSAGES; count++) {
    const text = drawText(random)
    const bytes = Buffer.from(text, 'latin1')
    const wanted = readMessage(text)
    const given = readByEngine(bytes)
    if (differences.length < SHOWN && !agrees(text, wanted, given)) differences.push({ text, wanted, given })
    const cuts = drawCuts(random, bytes.length)
    const cut = readByEngine(bytes, cuts)
    if (differences.length < SHOWN && JSON.stringify(cut) !== JSON.stringify(given))
      differences.push({ text, cuts, given, cut })
  }
  expect(differences).toEqual([])
}, 36_000_000)

it('the parser of Node reads no request in another way than the reference', async () => {
  const random = new Random(SEED + 1)
  const readByNode = createNodeReader()
  const differences: unknown[] = []
  for (let count = 0; count < MESSAGES; count++) {
    const text = drawText(random)
    const messages = await readByNode(Buffer.from(text, 'latin1'))
    let rest = text
    for (const message of messages) {
      // Behind a request to upgrade Node reads no HTTP (RFC 9110, 7.8).
      if (UPGRADES.test(rest)) break
      const wanted = readMessage(rest)
      if (wanted.kind !== 'message') {
        const rule = wanted.kind === 'refused' ? wanted.rule : 'incomplete'
        if (!(rule in LAXER) && differences.length < SHOWN) differences.push({ text, message, wanted })
        break
      }
      const { method, target, version, fields, content, trailers } = wanted
      const same = { method, target, version, fields, content, trailers }
      if (JSON.stringify(message) !== JSON.stringify(same)) {
        if (differences.length < SHOWN) differences.push({ text, message, wanted: same })
        break
      }
      rest = rest.slice(wanted.end)
    }
  }
  expect(differences).toEqual([])
}, 36_000_000)
