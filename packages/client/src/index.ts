export { client } from './client.ts'
export type { ClientOptions, Send } from './client.ts'
export type {
  Arguments,
  Client,
  Events,
  Failure,
  FetchSettings,
  Head,
  HeaderValues,
  InputOf,
  OkBodyOf,
  Problem,
  RawBody,
  Replies,
  RepliesOf,
  Reply,
  ServerEvent,
} from './types.ts'
