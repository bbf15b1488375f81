// The script behind `npm run docs:options` reads the table of stages as text; here the lists are compared with the
// tables themselves.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { HOOKS } from '../../packages/cloister/src/hooks/names.ts'
import { REPLY_STAGES, REQUEST_STAGES } from '../../packages/cloister/src/request/stages.ts'
import { REPLY_STAGES as SHOWN } from '../../packages/explorer/page/reply-stages.generated.ts'

it('lists the stages of a reply for the explorer', () => {
  expect([...SHOWN]).toEqual(REPLY_STAGES.map(({ name }) => name))
})

it('shows the path of a request in ARCHITECTURE.md', () => {
  const path = [...REQUEST_STAGES, ...REPLY_STAGES].map(({ name }) => name).join(' → ')
  const shown = readFileSync('ARCHITECTURE.md', 'utf8').match(/^ {2}→ (deadline .*)\n {2}(→ .*) → exchange/m)
  expect(`${shown?.[1]} ${shown?.[2]}`).toBe(path)
})

it('lists the hooks in the schema of explanations', () => {
  const schema = readFileSync('docs/explanation.schema.json', 'utf8')
  expect(schema).toContain(JSON.stringify(Object.keys(HOOKS)).replaceAll(',', ', '))
})
