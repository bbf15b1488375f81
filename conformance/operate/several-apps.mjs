// Three apps of one process, which drain for different times; the first one cannot close.
import { setTimeout as sleep } from 'node:timers/promises'

import { operate } from '@cloister/operate'
import { cloister } from 'cloister'

const addresses = []
for (const [name, drainMs] of [
  ['first', 1],
  ['second', 200],
  ['third', 50],
]) {
  const app = cloister()
  app.register(operate, { drainMs })
  app.get('/', async () => {
    await sleep(400)
    return name
  })
  app.addHook('onClose', async () => {
    console.log(`${name} closes`)
    if (name === 'first') throw new Error('it does not close')
  })
  addresses.push(await app.listen({ port: 0, host: '127.0.0.1' }))
}
console.log(JSON.stringify(addresses))
