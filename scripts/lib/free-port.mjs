// Preloaded into examples: a server gets a free port, whatever port it asks for. If there is an IPC channel to the
// parent process, the address is reported there and the server keeps the process alive; otherwise the process may
// end.
import net from 'node:net'

/** @param {unknown[]} args @returns {unknown[]} */
function withFreePort([first, ...rest]) {
  if (typeof first === 'object' && first !== null && 'port' in first) return [{ ...first, port: 0 }, ...rest]
  return typeof first === 'number' ? [0, ...rest] : [first, ...rest]
}

const listen = net.Server.prototype.listen

/** @this {net.Server} @param {unknown[]} args */
function listenOnFreePort(...args) {
  this.once('listening', () => {
    if (process.send === undefined) this.unref()
    else process.send({ address: this.address() })
  })
  return Reflect.apply(listen, this, withFreePort(args))
}

Reflect.set(net.Server.prototype, 'listen', listenOnFreePort)
