/** Names the stand-in of a content. Within a text, its quotes would be escaped. */
const STAND_IN = 'cloister:content'
const PATTERN = new RegExp(`\\{"${STAND_IN}":(\\d+)\\}`, 'g')

/** Other texts have no number that `JSON.parse` and `JSON.stringify` would change beyond its notation. */
const LONG = /\d{16}|\de\+?\d{3}/i

/**
 * The structured contents of results whose numbers are written as their routes wrote them. The SDK writes numbers of
 * JavaScript, which round integers beyond 2^53 - 1, so it gets stand-ins for these contents.
 */
export class ExactContents {
  readonly #texts: string[] = []

  /** Returns a content, or a stand-in for it, to be given to the SDK. */
  hold(content: Record<string, unknown>, text: string): Record<string, unknown> {
    return LONG.test(text) ? { [STAND_IN]: this.#texts.push(text) - 1 } : content
  }

  /** Puts the contents into the response of the SDK, which is JSON or events with JSON. */
  async write(response: Response): Promise<Response> {
    const { body, status } = response
    const headers = new Headers(response.headers)
    if (body !== null && headers.get('content-type') === 'text/event-stream') {
      // A field of HTTP/1.1 connections, which other versions refuse.
      headers.delete('connection')
      return new Response(body.pipeThrough(this.#events()), { status, headers })
    }
    if (this.#texts.length === 0) return response
    headers.delete('content-length')
    return new Response(this.#replace(await response.text()), { status, headers })
  }

  /** Each chunk of the SDK is a whole event. */
  #events(): TransformStream<Uint8Array, Uint8Array> {
    const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
    return new TransformStream({
      transform: (chunk, controller) => {
        const isPlain = this.#texts.length === 0
        controller.enqueue(isPlain ? chunk : encoder.encode(this.#replace(decoder.decode(chunk))))
      },
    })
  }

  #replace(given: string): string {
    return given.replace(PATTERN, (standIn, number: string) => this.#texts[Number(number)] ?? standIn)
  }
}
