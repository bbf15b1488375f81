import { expect, it } from 'vitest'

import { formatWelcome } from '../src/welcome.ts'
import { ADMIN_KEY, start, temporaryFolder } from './helpers/start.ts'

it('prints three requests that work as they stand', async () => {
  const folder = await temporaryFolder()
  const shelf = await start(folder.file)
  try {
    const settings = { host: '', port: 0, databaseFile: folder.file, adminKey: ADMIN_KEY, logLevel: 'warn' }
    const text = formatWelcome(shelf.address, 'the routes', settings)
    expect(text).toContain(shelf.address)
    expect(text).toContain('the routes')
    const commands = text.split('\n').filter((line) => line.includes('curl'))
    const statuses = await Promise.all(
      commands.map(async (command) => {
        const url = /'(http[^']+)'/.exec(command)?.[1] ?? ''
        const authorization = /Authorization: ([^']+)'/.exec(command)?.[1]
        const headers = new Headers({ connection: 'close' })
        if (authorization !== undefined) headers.set('authorization', authorization)
        return (await fetch(url, { headers })).status
      }),
    )
    expect(statuses).toEqual([200, 400, 200])
  } finally {
    await shelf.stop()
    await folder.remove()
  }
})
