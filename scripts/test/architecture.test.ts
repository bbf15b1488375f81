import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { repository } from '../lib/run.mjs'

const text = readFileSync(path.join(repository, 'ARCHITECTURE.md'), 'utf8')

/** Returns the text between the heading with this beginning and the next heading. */
function section(heading: string): string {
  const start = text.indexOf(`\n## ${heading}`)
  if (start === -1) throw new Error(`ARCHITECTURE.md has no heading ${heading}`)
  const end = text.indexOf('\n## ', start + 1)
  return text.slice(start, end === -1 ? undefined : end)
}

/** Returns the code spans that look like paths. */
function paths(part: string): string[] {
  return [...part.matchAll(/`([\w@./-]+(?:\/|\.(?:ts|json|md|mjs)))`/g)].map(([, name = '']) => name)
}

/** Whether a folder contains a file or folder with that name, at any depth. */
function isIn(folder: string, name: string): boolean {
  if (existsSync(path.join(folder, name))) return true
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((file) =>
    file.endsWith(`/${name.replace(/\/$/, '')}`),
  )
}

/** Returns the rooms of a `src`: its folders, and the files directly in it except the entry. */
function rooms(source: string): string[] {
  return readdirSync(source, { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .filter((name) => name !== 'index.ts')
}

describe('ARCHITECTURE.md', () => {
  it('has at most 200 lines', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(200)
  })

  it.each([
    ['The rooms of `packages/cloister/src`', 'packages/cloister/src'],
    ['The path of a request', 'packages/cloister/src'],
    ['The rooms of `packages/schema/src`', 'packages/schema/src'],
  ])('names only what exists in "%s"', (heading, source) => {
    const missing = paths(section(heading)).filter(
      (name) => !existsSync(path.join(repository, name)) && !isIn(path.join(repository, source), name),
    )
    expect(missing).toEqual([])
  })

  it.each([
    ['The rooms of `packages/cloister/src`', 'packages/cloister/src'],
    ['The rooms of `packages/schema/src`', 'packages/schema/src'],
  ])('includes every room in "%s"', (heading, source) => {
    const named = paths(section(heading))
    expect(rooms(path.join(repository, source)).filter((room) => !named.includes(room))).toEqual([])
  })

  it('shows the steps of a boot in the order of the sequence', () => {
    const boot = readFileSync(path.join(repository, 'packages/cloister/src/boot/boot.ts'), 'utf8')
    const steps: readonly (readonly [string, string])[] = [
      ['load plugins', 'queue.loadAll('],
      ['compile plans', 'useSpecialPlans(compilePlans('],
      ['seal', 'app.seal ='],
      ['callbacks of ready', 'of app.readyCallbacks)'],
      ['onReady', 'app.applicationHooks.onReady'],
      ['compile when idle', 'compileWhenIdle(app)'],
    ]
    const shown = /^ready\(\)\s+→ (.*)$/m.exec(section('The path of a boot'))?.[1]?.split(' → ')
    expect(shown).toEqual(steps.map(([name]) => name))
    const places = steps.map(([, call]) => boot.indexOf(call))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
  })

  it('shows the stages of the request path in the order of the table', () => {
    const stages = readFileSync(path.join(repository, 'packages/cloister/src/request/stages.ts'), 'utf8')
    const names = [...stages.matchAll(/(?:\{\s+name: |hooksOf\()'(\w+)'/g)].map(([, name = '']) => name)
    const shown = (/```text\n([\s\S]*?)```/.exec(section('The path of a request'))?.[1] ?? '').split(
      /\s*→\s*/,
    )
    expect(names.length).toBeGreaterThan(10)
    expect(shown.map((name) => name.trim()).filter((name) => names.includes(name))).toEqual(names)
  })
})
