import { errorOfBytes } from '../../body/exact/encodings.ts'
import { isInexact } from '../../body/exact/rules.ts'
import { ByteCollector } from '../../byte-collector.ts'
import { chunkBytes, utf8Text } from '../../bytes.ts'
import { prefixCode } from '../../error-prefix.ts'
import { createError } from '../../errors.ts'
import type { ByteStream } from '../../exchange/streams.ts'
import { put } from '../../foreign.ts'
import { messageOf } from '../../read-error.ts'
import { kExchange, kPlan, kState } from '../../symbols.ts'
import { copyOf, judgePart } from '../report/judge-stages.ts'
import type { PartValidator } from '../route-plan.ts'
import { validatePart } from '../stages/validate-request.ts'
import type { RequestState } from '../state.ts'

/** How the items of one body are read. */
interface ItemReader {
  readonly request: RequestState
  readonly validator: PartValidator
  /** parses a text as JSON */
  readonly parse: (request: unknown, text: string) => unknown
  /** of a line, in bytes */
  readonly limit: number
}

/** The items of a body. Each is read and validated when the handler asks for it. */
export class BodyItems implements AsyncIterable<unknown> {
  readonly #items: AsyncGenerator<unknown, void>

  constructor(reader: ItemReader) {
    this.#items = readItems(reader)
  }

  [Symbol.asyncIterator](): AsyncIterator<unknown, void> {
    return this.#items
  }
}

const LINE_FEED = 0x0a
const LINE_END = Uint8Array.of(LINE_FEED)

async function* readItems(reader: ItemReader): AsyncGenerator<unknown, void> {
  const { request, limit } = reader
  const { [kExchange]: exchange, [kPlan]: plan, [kState]: state } = request
  const holder = new plan.Request(exchange, plan, request.params, '', 0)
  const { exact } = plan.app
  let number = 0
  /** the incomplete line */
  const line = new ByteCollector()
  let isWhole = false
  try {
    for await (const bytes of piecesOf(state.bodyStream ?? exchange.bodyStream)) {
      for (let start = 0, end = 0; end !== -1; start = end + 1) {
        end = bytes.indexOf(LINE_FEED, start)
        const part = bytes.subarray(start, end === -1 ? bytes.length : end)
        if (line.length + part.length > limit)
          throw createError('CTP_ITEM_TOO_LARGE', { number: number + 1, limit })
        line.add(part)
        if (end === -1) continue
        const content = chunkBytes(line.takeJoined())
        const text = utf8Text(content)
        if (text.trim() === '') continue
        number++
        if (exact.bodyText === 'utf-8')
          exact.refuse(errorOfBytes(text, content, `item ${number} of the body`), request)
        yield await readItem(reader, holder, text, number)
      }
    }
    isWhole = true
  } catch (error) {
    prefixCode(error, plan.app.options)
    throw error
  } finally {
    // The rest of the body must never be read as the next request.
    if (!isWhole) exchange.endConnection()
  }
}

/**
 * Parses an item, and validates it as a body.
 *
 * @param holder - a request whose body is the item
 */
async function readItem(
  { request, validator, parse }: ItemReader,
  holder: RequestState,
  text: string,
  number: number,
): Promise<unknown> {
  try {
    holder.body = parse(request, text)
  } catch (cause) {
    if (!isInexact(cause)) throw createError('CTP_INVALID_ITEM', { number }, { cause })
    put(cause, 'message', `item ${number}: ${cause.message}`)
    throw cause
  }
  const plan = holder[kPlan]
  const copied = plan.judged === null ? undefined : copyOf(holder.body)
  const problem = await validatePart(validator, holder)
  if (copied !== undefined && problem === null) judgePart(request, 'body', copied)
  if (problem === null) return holder.body
  put(problem, 'message', `item ${number}: ${messageOf(problem)}`)
  throw problem
}

/**
 * The pieces of a stream, and a line end after the last one. A stream that is not read to its end stays open, because
 * its connection sends the response.
 */
async function* piecesOf(body: ByteStream): AsyncGenerator<Uint8Array, void> {
  const pieces = body.iterator?.({ destroyOnReturn: false }) ?? body
  for await (const piece of pieces) yield chunkBytes(piece)
  yield LINE_END
}
