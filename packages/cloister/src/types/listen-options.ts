/**
 * Options of `listen`.
 *
 * @throws `CLO_ERR_LISTEN_OPTIONS_INVALID` for an unknown option (with the nearest name) or a wrong value
 */
export interface ListenOptions {
  /**
   * Sets the TCP port, from 0 to 65535; 0 takes a free one.
   *
   * @default 0
   */
  port?: number
  /**
   * Sets the host name or address: `localhost` listens on all loopback addresses, `0.0.0.0` and `::` on all
   * of the machine.
   *
   * @default 'localhost'
   */
  host?: string
  /** Listens on a Unix socket or Windows pipe, instead of host and port. */
  path?: string
  /**
   * Limits the queue of connections that wait to be accepted.
   *
   * @default 511, as in Node
   */
  backlog?: number
  /**
   * Keeps the port to this worker of a cluster.
   *
   * @default false
   */
  exclusive?: boolean
  /**
   * Lets all users read the socket at `path`.
   *
   * @default false
   */
  readableAll?: boolean
  /**
   * Lets all users write to the socket at `path`.
   *
   * @default false
   */
  writableAll?: boolean
  /**
   * Listens on IPv6 only, not on IPv4 too, with the host `::`.
   *
   * @default false
   */
  ipv6Only?: boolean
  /**
   * Lets several processes listen on the port, on systems and versions of Node that can.
   *
   * @default false
   */
  reusePort?: boolean
  /** Listens on a file descriptor that is already open, instead of host and port. */
  fd?: number
  /** Closes the app when this signal aborts. */
  signal?: AbortSignal
  /**
   * Returns the text that is logged once the app listens.
   *
   * @default `Server listening at` and the address
   */
  listenTextResolver?: (address: string) => string
}
