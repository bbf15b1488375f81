// Loaded before the suites by `record.mjs`: appends what each client socket has written, a line of base64 each.
import { appendFileSync } from 'node:fs'
import { Socket } from 'node:net'

const file = process.env['CLOISTER_RECORD'] ?? ''
const { connect } = Socket.prototype

/** @this {Socket} @param {...unknown} args */
Socket.prototype.connect = function record(...args) {
  /** @type {Buffer[]} */
  const sent = []
  // `connect` gives the socket its own method back.
  const result = Reflect.apply(connect, this, args)
  const { write } = this
  /** @param {string | Uint8Array} chunk @param {...unknown} rest */
  const writeAndKeep = (chunk, ...rest) => {
    const encoding = typeof rest[0] === 'string' && Buffer.isEncoding(rest[0]) ? rest[0] : 'utf8'
    sent.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk))
    return Reflect.apply(write, this, [chunk, ...rest])
  }
  Reflect.set(this, 'write', writeAndKeep)
  this.once('close', () => appendFileSync(file, `${Buffer.concat(sent).toString('base64')}\n`))
  return result
}
