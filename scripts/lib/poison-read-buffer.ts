// Overwrites the read buffer that the engine's connections share, after each read. Code that keeps some of its bytes
// without a copy then finds poison there, and not by chance the expected bytes.
import { ReadBuffer } from '../../packages/wire/src/connection/read-buffer.ts'

/** Not a letter, digit or line end of any message. */
const POISON = 0xdb

const isPoisoned = Symbol.for('cloister.tests.poisoned')
const { attach } = ReadBuffer.prototype

// The setup runs once for each file, and files share their modules.
if (!Reflect.has(attach, isPoisoned)) {
  const poisoning: typeof attach = function (this: ReadBuffer, socket, take) {
    return attach.call(this, socket, (size) => {
      try {
        return take.call(socket, size)
      } finally {
        this.bytes.fill(POISON, 0, size)
      }
    })
  }
  ReadBuffer.prototype.attach = Object.assign(poisoning, { [isPoisoned]: true })
}
