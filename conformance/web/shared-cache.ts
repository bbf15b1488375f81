import type { InjectedResponse } from '../harness/app-shape.ts'

type Sent = Readonly<Record<string, string>>

interface Stored {
  readonly url: string
  readonly vary: readonly (readonly [name: string, value: string | undefined])[]
  readonly tag: string | null
  readonly response: InjectedResponse
}

/** A cache that many users share (RFC 9111): what it gives a request must be meant for it. */
export class SharedCache {
  #stored: readonly Stored[] = []

  /** Returns the newest stored response whose `Vary` fits a request. */
  find(url: string, sent: Sent): InjectedResponse | undefined {
    return this.#stored.findLast((one) => one.url === url && isFor(one, sent))?.response
  }

  /** Returns the tags of all stored responses of a URL, which a validation names (section 4.3.1). */
  tagsOf(url: string): string[] {
    return this.#stored.flatMap((one) => (one.url === url && one.tag !== null ? [one.tag] : []))
  }

  keep(url: string, sent: Sent, response: InjectedResponse): void {
    const vary = namesIn(response.headers['vary'])
    if (response.statusCode !== 200 || vary.includes('*')) return
    if (namesIn(response.headers['cache-control']).includes('no-store')) return
    const selecting = vary.map((name) => [name, sent[name]] as const)
    const isReplaced = (one: Stored): boolean =>
      one.url === url && JSON.stringify(one.vary) === JSON.stringify(selecting)
    const tag = tagOf(response)
    this.#stored = [
      ...this.#stored.filter((one) => !isReplaced(one)),
      { url, vary: selecting, tag, response },
    ]
  }

  /** Returns the stored response that a 304 selects, by its tag (section 4.3.4). */
  selectedBy(url: string, response: InjectedResponse): InjectedResponse | undefined {
    const tag = tagOf(response)
    return this.#stored.findLast((one) => one.url === url && one.tag === tag)?.response
  }
}

function isFor({ vary }: Stored, sent: Sent): boolean {
  return vary.every(([name, value]) => sent[name] === value)
}

function tagOf({ headers }: InjectedResponse): string | null {
  const tag = headers['etag']
  return tag === undefined ? null : String(tag)
}

/** Returns the members of a list field, in lower case. */
export function namesIn(field: unknown): string[] {
  return String(field ?? '')
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '')
}
