import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createSerializer, SerializeError } from '../../src/serializer/index.ts'
import { isJson, markdownRow, readings } from './readings.ts'

const page = readFileSync(new URL('../../../../docs/serialization.md', import.meta.url), 'utf8')

describe('the two readings', () => {
  for (const reading of readings) {
    for (const mode of ['compat', 'strict'] as const) {
      for (const backEnd of ['concat', 'project'] as const) {
        it(`${mode}: ${reading.title} (${backEnd})`, () => {
          const serialize = createSerializer(reading.schema, { mode, backEnd })
          const expected = reading[mode]
          if (isJson(expected)) expect(serialize(reading.value)).toBe(expected)
          else expect(reasonOf(() => serialize(reading.value))).toBe(expected)
        })
      }
    }

    it(`is shown in the documentation: ${reading.title}`, () => {
      expect(page.split('\n')).toContain(markdownRow(reading))
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
