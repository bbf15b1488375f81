import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { build } from '../../../scripts/lib/build.mjs'
import { cloister } from './run-command.ts'

const packages = fileURLToPath(new URL('../..', import.meta.url))

beforeAll(build)

describe('the app file', () => {
  it.each([
    ['ends the process', 'process.exit(0)\n', 'ended the process with the code 0'],
    [
      'rejects a promise that nothing awaits',
      "setTimeout(() => Promise.reject(new Error('late')))\nawait new Promise((resolve) => setTimeout(resolve, 5000))\n",
      'ended the process with the code 1',
    ],
    ['awaits what nothing settles', 'await new Promise(() => {})\n', 'never loads'],
  ])(
    'that %s while it is loaded ends every command with 3, and with a reason',
    async (_what, text, reason) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'cli-early-'))
      await writeFile(path.join(folder, 'app.mjs'), text)
      try {
        for (const command of ['start', 'routes', 'doctor', 'types']) {
          const { code, err } = await cloister([command], folder)
          expect({ command, code }).toEqual({ command, code: 3 })
          expect(err).toContain(`cloister: the app of ${path.join(folder, 'app.mjs')} ${reason}`)
        }
        expect(await readdir(folder)).toEqual(['app.mjs'])
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  )

  it('that exports two apps is named, with the one that is used', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cli-two-'))
    await symlink(path.resolve(packages, '../node_modules'), path.join(folder, 'node_modules'))
    const text = "import { cloister } from 'cloister'\nexport const app = cloister().get('/named', () => 1)\n"
    try {
      for (const [main, err] of [
        [
          "export default cloister().get('/main', () => 1)\n",
          /exports two apps, and the default export is used/,
        ],
        ['export default app\n', /^$/],
      ] as const) {
        await writeFile(path.join(folder, 'app.mjs'), text + main)
        expect(await cloister(['routes'], folder)).toMatchObject({ code: 0, err: expect.stringMatching(err) })
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('that makes its app with another copy of the framework ends the command with 3, and says so', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cli-copy-'))
    const modules = path.join(folder, 'node_modules')
    for (const name of ['package.json', 'dist/bundle'])
      await cp(path.join(packages, 'cloister', name), path.join(modules, 'cloister', name), {
        recursive: true,
      })
    const installed = path.resolve(packages, '../node_modules')
    for (const name of await readdir(installed))
      if (name !== 'cloister') await symlink(path.join(installed, name), path.join(modules, name))
    await writeFile(
      path.join(folder, 'app.mjs'),
      "import { cloister } from 'cloister'\nexport default cloister()\n",
    )
    try {
      for (const command of ['openapi', 'types']) {
        const { code, err } = await cloister([command], folder)
        expect({ command, code }).toEqual({ command, code: 3 })
        expect(err).toMatch(
          /^cloister: the app of .* cannot be described: .* another copy of cloister; install one copy/,
        )
      }
      expect((await cloister(['doctor'], folder)).out).toContain('CLO_ERR_INSPECT_APP_INVALID')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
