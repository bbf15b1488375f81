import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { run } from '../src/run.ts'

it('cloister explain lists the refusals of the guards of a route, with who passes', async () => {
  const file = fileURLToPath(new URL('./fixtures/types.mjs', import.meta.url))
  const { output } = await run(['explain', 'GET', '/guarded', '--app', file], process.cwd())
  const section = output.slice(output.indexOf('  refuses\n'), output.indexOf('  serializes\n'))
  expect(section.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['refuses'],
    ['401', 'an error response of the app', 'user', 'bearer read'],
    ['403', 'by a schema of the guard', 'user', 'bearer read'],
    ['429', 'a body that is not stated', 'user', 'bearer read'],
    [''],
  ])
})

it('cloister explain has a row for each topic of a route', async () => {
  const file = fileURLToPath(new URL('./fixtures/topics.mjs', import.meta.url))
  const { output } = await run(['explain', 'GET', '/prices/tea', '--app', file], process.cwd())
  const section = output.slice(output.indexOf('  extensions\n'), output.indexOf('  decorators\n'))
  expect(section.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['extensions'],
    ['x-owner', 'trade'],
    ['x-subscribes', '{"topic":"prices/:symbol","parameters":["symbol"],"keep":{"count":1000,"ms":600000}}'],
    ['x-subscribes', '{"topic":"news","parameters":[],"keep":{"count":5,"ms":1000}}'],
    [''],
  ])
})
