import { RawReply } from './raw-reply.ts'

/** The constructor that integrations import from `fastify/lib/reply`. */
const Reply: typeof RawReply = RawReply

export default Reply
