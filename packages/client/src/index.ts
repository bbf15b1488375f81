export { client } from './client.ts'
export type { ClientArguments, ClientOptions, Send } from './client.ts'
export { JsonError } from './json-error.ts'
export type { ParseJson, ReadIntegers, ReadsInt64 } from './parse-json.ts'
export type { PlainSocket, SocketClass } from './socket.ts'
export { StreamError } from './stream-error.ts'
export type {
  Arguments,
  Client,
  ClientSocket,
  EventPosition,
  Events,
  Failure,
  FetchSettings,
  Head,
  HeaderValues,
  InputOf,
  Items,
  OkBodyOf,
  Problem,
  RawBody,
  Replies,
  RepliesOf,
  Reply,
  ServerEvent,
  SocketEnd,
  SocketInput,
  SocketNames,
  SocketOf,
} from './types.ts'
