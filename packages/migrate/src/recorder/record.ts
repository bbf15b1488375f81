import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { threadId } from 'node:worker_threads'

import { WatchedApp } from './watched-app.ts'

/*
 * `cloister migrate` loads this module with `--require` into each process of a run. Both frameworks publish their
 * apps on the same diagnostics channel, whatever loads them: Node.js, Jest or Vite.
 */

const { CLOISTER_MIGRATE_RECORD: folder, CLOISTER_MIGRATE_DRAW: draw = '' } = process.env
if (folder !== undefined) {
  const file = path.join(folder, `${process.pid}-${threadId}.jsonl`)
  const write = (line: object): void => appendFileSync(file, `${JSON.stringify(line)}\n`)
  subscribe('fastify.initialization', (message) => {
    const app: unknown = Reflect.get(Object(message), 'fastify')
    if (typeof app === 'object' && app !== null)
      new WatchedApp(app, { draw: new Set(draw.split(',')), write }).watch()
  })
}
