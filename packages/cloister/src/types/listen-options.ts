/** Where and how to listen. */
export interface ListenOptions {
  /** TCP port; 0 for any that is free. */
  port?: number
  /** Host; `localhost` for all of its addresses. */
  host?: string
  /** Path of a socket, instead of a port. */
  path?: string
  /** The longest queue of connections. */
  backlog?: number
  /** Not shared among the workers of a cluster. */
  exclusive?: boolean
  /** A socket that all may read. */
  readableAll?: boolean
  /** A socket that all may write to. */
  writableAll?: boolean
  /** IPv6 alone. */
  ipv6Only?: boolean
  /** Closes the app when aborted. */
  signal?: AbortSignal
  /** What is logged once the app listens. */
  listenTextResolver?: (address: string) => string
}
