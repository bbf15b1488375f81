import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { repository } from '../lib/run.mjs'
import { WORKER_MODULES } from '../lib/worker-modules.mjs'

/** Returns the classes that a module exports, with the names of their public members. */
function classesOf(file: string): Map<string, string[]> {
  const { program } = parseSync(file, readFileSync(file, 'utf8'))
  const found = new Map<string, string[]>()
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration?.type !== 'ClassDeclaration')
      continue
    // A class that extends the replaced one inherits the rest.
    if (statement.declaration.superClass !== null) continue
    const names: string[] = []
    for (const member of statement.declaration.body.body) {
      if (!('key' in member) || member.key.type !== 'Identifier') continue
      const isPrivate = 'accessibility' in member && member.accessibility === 'private'
      if (!isPrivate && member.key.name !== 'constructor') names.push(member.key.name)
    }
    found.set(statement.declaration.id?.name ?? '', names)
  }
  return found
}

const rows = Object.entries(WORKER_MODULES).flatMap(([name, table]) => {
  const folder = path.join(repository, 'packages', name.replace('@cloister/', ''), 'src')
  return Object.entries(table)
    .map(([replaced, by]) => ({
      name: `${name}: ${replaced}`,
      replaced: path.join(folder, `${replaced}.ts`),
      by: path.join(folder, 'worker', `${by}.ts`),
    }))
    .filter(({ replaced }) => existsSync(replaced))
})

describe('a module of the build for workers', () => {
  it.each(rows)('has every member of the classes that it takes the part of: $name', ({ replaced, by }) => {
    const given = classesOf(by)
    for (const [name, members] of classesOf(replaced)) {
      if (given.has(name)) expect(given.get(name), name).toEqual(expect.arrayContaining(members))
    }
  })

  it('is looked at', () => {
    const compared = rows.flatMap(({ by }) => [...classesOf(by).keys()])
    expect(compared).toContain('Tiers')
  })
})
