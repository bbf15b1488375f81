import { describe, expect, it } from 'vitest'
import { parseSync } from 'oxc-parser'
import { ModuleGraph } from '../../src/build/shrink/module-graph.ts'
import { readModule } from '../../src/build/shrink/read-module.ts'
import { findStartCode } from '../../src/build/shrink/start-code.ts'
import { findUnnamed, withoutMembers } from '../../src/build/shrink/unnamed-members.ts'

/** Reads modules by their files, which import one another by these. */
function graphOf(texts: Readonly<Record<string, string>>): ModuleGraph {
  const modules = Object.entries(texts).map(
    ([file, text]) => [file, readModule(file, text, (name, given) => parseSync(name, given))] as const,
  )
  return new ModuleGraph(new Map(modules), (_file, source) => source)
}

function unnamedIn(texts: Readonly<Record<string, string>>, app: string): string[] {
  const words = new Set(app.match(/\w+/g))
  return findUnnamed(graphOf(texts), { words, imports: Object.keys(texts) }).map(({ name }) =>
    name.replace(/ .*/, ''),
  )
}

/** What becomes of a module whose bundle imports one name, with single spaces. */
function shrunk(text: string, name: string): string {
  const members = findUnnamed(graphOf({ 'a.js': text }), { words: new Set([name]), imports: ['a.js'] })
  return withoutMembers(text, members).replaceAll(/\s+/g, ' ')
}

describe('members that nothing names', () => {
  const REPLY = `import { close } from 'b.js'
    export class Reply {
      send() { return this.#write(1) }
      trailer() { return close(this.end()) }
      end() {}
      #write(code) {}
      #unused() {}
      get [Symbol.toStringTag]() { return 'Reply' }
      then() {}
    }`
  const OTHER =
    'export function close(value) { return value.shut() }; export class Door { shut() {}; open() {} }'

  it('are left out with what only they name', () => {
    expect(unnamedIn({ 'a.js': REPLY, 'b.js': OTHER }, 'Reply send')).toEqual([
      'trailer',
      'end',
      '#unused',
      'shut',
      'open',
    ])
    expect(unnamedIn({ 'a.js': REPLY, 'b.js': OTHER }, 'Reply Door trailer')).toEqual([
      'send',
      '#write',
      '#unused',
      'open',
    ])
  })

  it('are named by a text or a pattern too', () => {
    const text = `export class A { one() {}; two() {}; three() {} }
      export const b = (a) => { const { one } = a; return Reflect.get(a, 'two') ?? one }`
    expect(unnamedIn({ 'a.js': text }, 'A b')).toEqual(['three'])
  })

  it('stay in a table that code lists', () => {
    const table = `export const errorTable = { ...shortRows('ONE a;TWO b c'), THREE: 3, FOUR: 4 }
      export const row = (name) => errorTable[name]
      export const raise = () => row('FOUR')
      export const all = () => Object.keys(errorTable)`
    expect(unnamedIn({ 'a.js': table }, 'raise')).toEqual(['ONE', 'TWO', 'THREE'])
    expect(unnamedIn({ 'a.js': table }, 'all')).toEqual([])
  })

  it('throw where they were getters, which code may read by a name that it makes', () => {
    const text =
      'export class A { get ip() { return 1 } set ip(one) {} static get two() { return 2 } get #own() {} go() {} }'
    expect(shrunk(text, 'A')).toBe('export class A { get ip(){unseen__()} }')
  })

  it('are removed with what separates them', () => {
    const text =
      "const errorTable = { ...shortRows('ONE a;TWO b c;SIX'), THREE: 3, FOUR: 4 }; export const a = () => errorTable.SIX"
    expect(shrunk(text, 'a')).toBe(
      "const errorTable = { ...shortRows('SIX'), }; export const a = () => errorTable.SIX",
    )
  })
})

describe('code that only a start runs', () => {
  const start = 'x/cloister/dist/worker-bundle/routes/a.js'
  const request = 'x/cloister/dist/worker-bundle/request/b.js'
  const found = (a: string, b: string): string[] =>
    findStartCode(graphOf({ [start]: a, [request]: b }), new Set()).map(({ name }) => name)

  it('is what nothing of a request reaches', () => {
    const a = `export function defineRoute() { return read() + [1].map((one) => twice(one)) }
      function read() {}
      function twice() {}
      export function shared() { return within() }
      function within() {}`
    expect(found(a, `import { shared } from '${start}'; export const b = () => shared()`)).toEqual([
      'defineRoute',
      'read',
      'twice',
    ])
  })

  it('is nothing that a start makes or hands over for later', () => {
    const a = `export function defineRoute(app) { app.later = () => made(); app.use(given); const own = () => local(); own() }
      function made() {}
      function given() {}
      function local() {}`
    expect(found(a, '')).toEqual(['defineRoute', 'own', 'local'])
  })

  it('is no method with a name that a request calls', () => {
    const a = 'export class Table { seek() { return this.#hidden() }; plant() {}; #hidden() {} }'
    expect(found(a, 'export const b = (table) => table.seek()')).toEqual(['Table', 'plant'])
  })
})
