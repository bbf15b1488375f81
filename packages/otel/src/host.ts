/** A host, as the semantic conventions split it. */
export interface Host {
  readonly text: string
  readonly address: string | undefined
  readonly port: number | undefined
}

const HOST = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/

/** Splits the hosts of requests. It keeps the last one, since most requests to a server name the same. */
export class Hosts {
  #last: Host = split('')

  read(text: string): Host {
    if (text !== this.#last.text) this.#last = split(text)
    return this.#last
  }
}

function split(text: string): Host {
  const [, address, port] = HOST.exec(text) ?? []
  return {
    text,
    address: address?.replace(/^\[|\]$/g, ''),
    port: port === undefined ? undefined : Number(port),
  }
}
