import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { repository } from '../../../scripts/lib/run.mjs'
import { ACCEPTED, ROWS } from '../../refused/rows.ts'
import type { SendRequest } from '../../harness/send.ts'

/** Copies a program that sends the requests of docs/guide/refused.md by `app.fetch` to the folder of a project. */
export function copyRefused(folder: string): void {
  const own = path.join(folder, 'refused')
  cpSync(path.join(import.meta.dirname, '../fixtures/refused'), own, { recursive: true })
  cpSync(path.join(repository, 'conformance/refused/routes.ts'), path.join(own, 'routes.ts'))
  const requests = [...ROWS, ...ACCEPTED].map(([, request]) => written(request))
  writeFileSync(path.join(own, 'rows.json'), JSON.stringify(requests))
}

function written({ method = 'GET', path: target, headers = {}, body }: SendRequest): object {
  return { method, path: target, headers, body: Buffer.isBuffer(body) ? body.toString('base64') : null }
}

/** Checks what the program has printed: each row is refused before the handler, and what looks like one is read. */
export function expectRefused(printed: unknown): void {
  const all = [...ROWS, ...ACCEPTED]
  const wanted = all.map((row) =>
    row.length === 4
      ? {
          status: row[2],
          text: expect.stringMatching(row[3]),
          encoding: row[1].headers?.['content-encoding'] === undefined ? null : 'identity',
          calls: 0,
        }
      : {
          status: 200,
          text: expect.stringContaining(JSON.stringify(row[2]).slice(1, -1).split('}')[0] ?? ''),
          encoding: null,
          calls: 1,
        },
  )
  expect(printed).toEqual([...wanted, ...wanted])
}
