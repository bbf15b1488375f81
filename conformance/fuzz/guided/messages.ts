// Heads and bodies as the engine reads them, beside the reader from the RFCs.
import { Random } from '../../../packages/schema/test/validator/random.ts'
import { agrees } from '../../wire/reference/agrees.ts'
import { drawMessage } from '../../wire/reference/draw-message.ts'
import { readMessage } from '../../wire/reference/read-message.ts'
import { readByEngine } from '../../wire/reference/readers.ts'
import type { Outcome, Target } from './target.ts'

export const WORDS: readonly string[] = [
  ...'GET |POST |PUT |PATCH |DELETE |HEAD |OPTIONS |FOO |/|/a?b=c|*| HTTP/1.1|HTTP/1.0'.split('|'),
  ...'Host: x\r\n|Host: |Content-Length: |Transfer-Encoding: |chunked|Connection: |close|keep-alive'.split(
    '|',
  ),
  ...'Expect: 100-continue\r\n|Upgrade: x\r\n|Content-Type: |Trailer: |TE: |Keep-Alive: |Cookie: '.split('|'),
  ...'Proxy-Connection: |Date: |Set-Cookie: |Authorization: |[::1]|1.2.3.4|:80|%41|\r\n|\r\n\r\n'.split('|'),
  ...'0\r\n\r\n|5\r\nhello\r\n|;a=b|;a="b"|hello|fffffffffff|99999999999999|X: y\r\n'.split('|'),
  'GET /next HTTP/1.1\r\nHost: x\r\n\r\n',
]

/** Where bytes are cut on their way; the same for the same text and seed. */
export function drawCuts(random: Random, length: number): number[] {
  const kind = random.below(4)
  if (length < 300 && kind === 0) return Array.from({ length }, (_, index) => index + 1)
  const count = kind === 1 ? 1 : 1 + random.below(6)
  return Array.from({ length: count }, () => 1 + random.below(length)).sort((a, b) => a - b)
}

/** A seed that depends on the text. */
export function seedOf(text: string): number {
  let seed = 2_166_136_261
  for (let at = 0; at < text.length; at++) seed = Math.imul(seed ^ text.charCodeAt(at), 16_777_619)
  return seed >>> 0
}

function checkMessage(text: string): Outcome {
  const faults: string[] = []
  const bytes = Buffer.from(text, 'latin1')
  const wanted = readMessage(text)
  const given = readByEngine(bytes)
  if (!agrees(text, wanted, given))
    faults.push(`the reference: ${JSON.stringify(wanted)}, the engine: ${JSON.stringify(given)}`)
  if (bytes.length > 0) {
    const cuts = drawCuts(new Random(seedOf(text)), bytes.length)
    const cut = readByEngine(bytes, cuts)
    if (JSON.stringify(cut) !== JSON.stringify(given))
      faults.push(`cut at ${cuts.join()}: ${JSON.stringify(cut)}, whole: ${JSON.stringify(given)}`)
  }
  const rule = wanted.kind === 'refused' ? wanted.rule : wanted.kind
  return { kind: `${rule}, ${given.kind === 'refused' ? given.reason : given.kind}`, faults }
}

const CHUNKED_HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'

export const heads: Target = {
  name: 'heads',
  words: WORDS,
  draw: (random) => drawMessage(random) + (random.chance(0.3) ? 'GET /next HTTP/1.1\r\n' : ''),
  check: checkMessage,
}

export const chunks: Target = {
  name: 'chunks',
  words: '0|5|f|\r\n|0\r\n\r\n|5\r\nhello\r\n|;|;a|=|"|\\"|;a="b"|X: y\r\n|Host: x\r\n|000000000005|\t'.split(
    '|',
  ),
  draw(random) {
    const lines = Array.from(
      { length: random.below(4) },
      (_, index) => `${index}\r\n${'x'.repeat(index)}\r\n`,
    )
    return `${lines.slice(1).join('')}0\r\n${random.chance(0.3) ? 'T: v\r\n' : ''}\r\n`
  },
  check: (text) => checkMessage(CHUNKED_HEAD + text),
}

/** Waits for a turn of the event loop. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

/** A request with its header lines. */
interface WithFields {
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** Of bytes behind an upgrade that nobody listens to, Node drops those that come in the same piece. */
export function upToUpgrade<T extends WithFields>(seen: readonly T[]): readonly T[] {
  const at = seen.findIndex(({ fields }) => fields.some(([name]) => name.toLowerCase() === 'upgrade'))
  return at === -1 ? seen : seen.slice(0, at + 1)
}
