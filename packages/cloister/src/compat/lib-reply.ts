/**
 * What integrations get that reach into the peer's sources for `fastify/lib/reply`: its constructor, also by
 * `require()`.
 */
export { RawReply as default, RawReply as 'module.exports' } from './raw-reply.ts'
