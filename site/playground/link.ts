import type { FormRequest } from './protocol.ts'

/** What a link to the playground holds, in its fragment: no server sees it. */
export interface Shared {
  readonly code: string
  readonly request: FormRequest
}

/** The fragment of a link. */
export async function toFragment(shared: Shared): Promise<string> {
  const packed = await piped(new Blob([JSON.stringify(shared)]), new CompressionStream('deflate-raw'))
  const text = String.fromCodePoint(...new Uint8Array(await packed.arrayBuffer()))
  return `#code=${btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}

/** What a fragment holds; `null` where it is none of ours, or damaged. */
export async function fromFragment(fragment: string): Promise<Shared | null> {
  const text = /^#code=([\w-]+)$/.exec(fragment)?.[1]
  if (text === undefined) return null
  try {
    const bytes = Uint8Array.from(
      atob(text.replaceAll('-', '+').replaceAll('_', '/')),
      (letter) => letter.codePointAt(0) ?? 0,
    )
    const { code, request } = JSON.parse(
      await (await piped(new Blob([bytes]), new DecompressionStream('deflate-raw'))).text(),
    )
    const field = (name: string) => String(request?.[name] ?? '')
    return {
      code: String(code),
      request: { method: field('method'), url: field('url'), headers: field('headers'), body: field('body') },
    }
  } catch {
    return null
  }
}

function piped(blob: Blob, stream: ReadableWritablePair<Uint8Array, BufferSource>): Promise<Blob> {
  return new Response(blob.stream().pipeThrough(stream)).blob()
}
