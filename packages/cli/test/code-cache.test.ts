// The code that Node has compiled already, beside a built file.
import { existsSync } from 'node:fs'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command, createProject, createRoot, run, SLOW } from './build-project.ts'

let root: string
/** The folder of a built app, which no test changes. */
let built: string
beforeAll(async () => {
  root = await createRoot()
  built = await builtProject(HELLO)
}, SLOW)
afterAll(() => rm(root, { recursive: true, force: true }))

/** Responds with a stack where a request asks for it. */
const HELLO = `import { cloister } from 'cloister'
export const app = cloister()
app.get('/hello/:id', {
  schema: { params: { type: 'object', properties: { id: { type: 'integer' } } } },
}, (request) => ({ where: request.headers.where && new Error('x').stack, hello: request.params.id }))
`

/** Says whether V8 has taken the cache of a script. */
const WATCH = `import vm from 'node:vm'
import { syncBuiltinESMExports } from 'node:module'
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options)
    if (options.cacheKey) console.log('cache', options.cachedData === undefined ? 'none' : this.cachedDataRejected ? 'refused' : 'taken')
  }
}
syncBuiltinESMExports()
`

const USE = `const { app } = await import('./built.mjs')
console.log((await app.inject('/hello/7')).body)
`

const stackOf = (file: string): string => `const { app } = await import('${file}')
const { where } = (await app.inject({ url: '/hello/7', headers: { where: '1' } })).json()
console.log(where.replaceAll('\\n', ' '))
`

/** Builds an app into the same folder, and writes what uses it. */
async function builtProject(app: string): Promise<string> {
  const folder = await createProject(root, app)
  const { code, err } = await command(folder, '--out', 'built.mjs')
  expect([code, err]).toEqual([0, ''])
  await writeFile(path.join(folder, 'watch.mjs'), WATCH)
  await writeFile(path.join(folder, 'use.mjs'), USE)
  return folder
}

/** Copies the built app. Up to Node 20, compiled code is for one place. */
async function copyOfBuilt(): Promise<string> {
  const folder = await createProject(root, HELLO)
  for (const name of ['built.mjs', 'built.mjs.map', 'built.mjs.cache', 'watch.mjs', 'use.mjs'])
    await copyFile(path.join(built, name), path.join(folder, name))
  return folder
}

const use = async (folder: string, ...flags: string[]): Promise<string[]> =>
  (await run(folder, ['--import', './watch.mjs', ...flags, 'use.mjs'])).out.trimEnd().split('\n')

describe('cloister build for Node', { timeout: SLOW }, () => {
  it('writes the compiled code beside the file, which Node takes, and works without it', async () => {
    expect(await use(built)).toEqual(['cache taken', '{"hello":7}'])
    const folder = await copyOfBuilt()
    await rm(path.join(folder, 'built.mjs.cache'))
    expect(await use(folder)).toEqual(['cache none', '{"hello":7}'])
  })

  it('does not take the code of another build, or what is no code', async () => {
    const folder = await builtProject(HELLO.replace('hello:', 'hallo:'))
    const [file, cache] = [path.join(folder, 'built.mjs'), path.join(folder, 'built.mjs.cache')]
    expect(await use(folder)).toEqual(['cache taken', '{"hallo":7}'])
    const [text, code] = [await readFile(file), await readFile(cache)]
    await copyFile(path.join(built, 'built.mjs'), file)
    // V8 itself compares no more than the length.
    expect((await readFile(file)).length).toBe(text.length)
    expect(await use(folder)).toEqual(['cache none', '{"hello":7}'])
    await writeFile(file, text)
    await writeFile(cache, code.subarray(0, code.length / 2))
    expect(await use(folder)).toEqual(['cache refused', '{"hallo":7}'])
    await writeFile(cache, '')
    expect(await use(folder)).toEqual(['cache none', '{"hallo":7}'])
  })

  it('names the file where it is, also after it was moved', async () => {
    const folder = await copyOfBuilt()
    await writeFile(path.join(folder, 'use.mjs'), stackOf('./built.mjs'))
    expect((await use(folder)).at(-1)).toContain(`${folder}/built.mjs:`)
  })

  it('maps places in the file to those in the sources with --enable-source-maps', async () => {
    await writeFile(path.join(built, 'stack.mjs'), stackOf('./built.mjs'))
    const { out } = await run(built, ['--import', './watch.mjs', '--enable-source-maps', 'stack.mjs'])
    expect(out).toMatch(/^cache taken\n.*app\.mjs:5:/s)
  })

  it('keeps what the file of an app does while it is loaded: await, import.meta, import()', async () => {
    const folder = await builtProject(`import { cloister } from 'cloister'
import * as path from 'node:path'
import fs, { existsSync as exists } from 'node:fs'
const { basename } = await import('node:path')
const own = await import(import.meta.resolve('node:os'))
export const app = cloister()
app.get('/hello/:id', async (request) => {
  const { sep } = await import('node:path')
  const file = import.meta.url
  return [fs.existsSync === exists, path.sep === sep, basename('/a/b'), own.EOL.length > 0, typeof file, this === undefined]
})
export { app as default }
`)
    expect((await use(folder)).at(-1)).toBe('[true,true,"b",true,"string",true]')
    const names = await run(folder, [
      '--input-type=module',
      '-e',
      "console.log(Object.keys(await import('./built.mjs')).join())",
    ])
    expect(names.out).toBe('app,default\n')
  })

  it('runs no onListen hooks', async () => {
    const app = `${HELLO}app.addHook('onListen', async () => (await import('node:fs')).writeFileSync('listened', ''))\n`
    const folder = await builtProject(app)
    expect(existsSync(path.join(folder, 'built.mjs.cache'))).toBe(true)
    expect(existsSync(path.join(folder, 'listened'))).toBe(false)
  })

  it('writes no compiled code where it is not wanted, and removes what an earlier build has written', async () => {
    const folder = await copyOfBuilt()
    const { out } = await command(folder, '--out', 'built.mjs', '--no-code-cache')
    expect(out).not.toContain('.cache')
    expect(existsSync(path.join(folder, 'built.mjs.cache'))).toBe(false)
    expect(await readFile(path.join(folder, 'built.mjs'), 'utf8')).toMatch(/^import /)
    expect(await use(folder)).toEqual(['{"hello":7}'])
  })

  it('says why it writes none for a file that imports a package', async () => {
    const folder = await createProject(root, `import 'semver'\n${HELLO}`)
    await writeFile(path.join(folder, 'built.mjs.cache'), 'of an earlier build')
    const { out } = await command(folder, '--out', 'built.mjs', '--external', 'semver')
    expect(out).toContain('\nno code cache: it imports semver\n')
    expect(existsSync(path.join(folder, 'built.mjs.cache'))).toBe(false)
  })
})
