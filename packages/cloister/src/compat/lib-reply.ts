import { RawReply } from './raw-reply.ts'

/** What integrations get that reach into the peer's sources for `fastify/lib/reply`: its constructor. */
const Reply: typeof RawReply = RawReply

export default Reply
