import { expect, it } from 'vitest'

import { ADMIN_KEY as key, start, temporaryFolder } from './helpers/start.ts'

it('keeps what was changed when it is stopped and started again on the same file', async () => {
  const folder = await temporaryFolder()
  try {
    const first = await start(folder.file)
    const review = { reader: 'Ishmael', stars: 5, text: 'Call me.' }
    const posted = await first.send('/books/moby-dick/reviews', { method: 'POST', body: review })
    await first.send('/admin/books/emma', { method: 'DELETE', key })
    const before = await first.send('/admin/stats', { key })
    await first.stop()

    const second = await start(folder.file)
    expect((await second.send('/books/moby-dick/reviews')).body).toEqual([posted.body])
    expect((await second.send('/books/emma')).status).toBe(404)
    expect((await second.send('/admin/stats', { key })).body).toEqual(before.body)
    await second.stop()
  } finally {
    await folder.remove()
  }
})

it('says which file it cannot open', async () => {
  await expect(start('/nowhere/at/all/bookshelf.db')).rejects.toThrow(
    'the database file /nowhere/at/all/bookshelf.db cannot be opened; does its folder exist?',
  )
})
