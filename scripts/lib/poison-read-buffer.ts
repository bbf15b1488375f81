// Overwrites the buffer that the connections of the engine share, after each read: whatever has kept some of its bytes
// without a copy finds poison there, and not by chance the bytes that it expects.
import { ReadBuffer } from '../../packages/wire/src/connection/read-buffer.ts'

/** No letter, digit or line end of any message. */
const POISON = 0xdb

const isPoisoned = Symbol.for('cloister.tests.poisoned')
const { attach } = ReadBuffer.prototype

// The setup runs once for each file, and files share their modules.
if (!Reflect.has(attach, isPoisoned)) {
  const poisoning: typeof attach = function (this: ReadBuffer, socket, take) {
    return attach.call(this, socket, (size) => {
      try {
        return take(size)
      } finally {
        this.bytes.fill(POISON, 0, size)
      }
    })
  }
  ReadBuffer.prototype.attach = Object.assign(poisoning, { [isPoisoned]: true })
}
