/** The codes of a {@link WebSocketError}. */
export type WebSocketErrorCode = keyof typeof STATUSES

const STATUSES = {
  /** The request does not open a WebSocket. */
  CLO_ERR_SOCKET_EXPECTED: 426,
  /** The handshake breaks its rules. */
  CLO_ERR_SOCKET_HANDSHAKE_INVALID: 400,
  /** Pages of this origin may not open the socket. */
  CLO_ERR_SOCKET_ORIGIN_REFUSED: 403,
  /** The request has no connection that could be taken. */
  CLO_ERR_SOCKET_UNSUPPORTED: 501,
  /** The socket is closed, so nothing can be sent. */
  CLO_ERR_SOCKET_CLOSED: 500,
  /** `close` was called with a code that only the protocol may use. */
  CLO_ERR_SOCKET_CLOSE_CODE: 500,
  /** A message does not match its schema `outgoing`. */
  CLO_ERR_SOCKET_MESSAGE_INVALID: 500,
  /** An option of a WebSocket route is wrong, or unknown. */
  CLO_ERR_SOCKET_OPTION: 500,
} as const

/** An error of a WebSocket route: of its options, of a handshake, or of a socket. */
export class WebSocketError extends Error {
  override readonly name: string = 'WebSocketError'
  /** Which error it is. */
  readonly code: WebSocketErrorCode
  /** The status of the response, if there is one. */
  readonly statusCode: number

  /** Creates the error; `message` says what is wrong, where, and what to do. */
  constructor(code: WebSocketErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.statusCode = STATUSES[code]
  }
}
