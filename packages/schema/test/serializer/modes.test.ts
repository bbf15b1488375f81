import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createSerializer, SerializeError } from '../../src/serializer/index.ts'
import { isJson, markdownRow, modeTable } from './modes.ts'

const page = readFileSync(new URL('../../../../docs/serialization.md', import.meta.url), 'utf8')

describe('the two modes', () => {
  for (const row of modeTable) {
    for (const mode of ['compat', 'strict'] as const) {
      for (const backEnd of ['concat', 'project', 'text', 'copy'] as const) {
        it(`${mode}: ${row.title} (${backEnd})`, () => {
          const serialize = createSerializer(row.schema, { mode, backEnd })
          const expected = row[mode]
          if (isJson(expected)) expect(serialize(row.value)).toBe(expected)
          else expect(reasonOf(() => serialize(row.value))).toBe(expected)
        })
      }
    }

    it(`is shown in the documentation: ${row.title}`, () => {
      expect(page.split('\n')).toContain(markdownRow(row))
    })
  }
})

function reasonOf(run: () => string): string {
  try {
    return `no error but ${run()}`
  } catch (error) {
    return error instanceof SerializeError ? error.reason : String(error)
  }
}
