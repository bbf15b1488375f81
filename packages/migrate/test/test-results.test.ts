import { describe, expect, it } from 'vitest'
import { countPassed, lostTests, readResults } from '../src/test-results.ts'

/** What runners print of one test that passes and one that fails. */
const OUTPUTS: Readonly<Record<string, string>> = {
  'node:test': '✔ adds (1.2ms)\n✖ removes (0.3ms)\nℹ tests 2\n\n✖ failing tests:\n\n✖ removes (0.3ms)\n',
  TAP: 'TAP version 13\n# Subtest: adds\nok 1 - adds\n  ---\n  duration_ms: 1\n  ...\nnot ok 2 - removes\n1..2\n',
  'tap with times': 'ok 1 - adds # time=12.3ms\nnot ok 2 - removes # time=1ms {\n',
  'Jest with --verbose': 'FAIL test/a.js\n  ✓ adds (3 ms)\n  ✕ removes\n',
  'Vitest with the reporter verbose': '\u001B[32m ✓\u001B[39m adds 3ms\n × removes 4ms\n',
  Mocha: '  ✔ adds (20ms)\n  1) removes\n\n  1 passing\n  1 failing\n\n  1) removes\n     Error\n',
  AVA: '  ✔ adds (1.2s)\n  ✘ [fail]: removes\n',
}

describe('the results of single tests', () => {
  it.each(Object.entries(OUTPUTS))('are read from the output of %s', (_runner, output) => {
    const results = readResults(output)
    expect(countPassed(results)).toEqual({ passed: 1, all: 2 })
    expect(results.get('adds')).toEqual([true])
    expect([...results].some(([name, [passes]]) => name.endsWith('removes') && passes === false)).toBe(true)
  })

  it('omit tests that are skipped', () => {
    expect(readResults('ok 1 - adds # SKIP not today\nok 2 - removes\n').size).toBe(1)
  })

  it('are lost where they pass in one run and fail, or are missing, in another', () => {
    const before = readResults('ok 1 - a\nok 2 - b\nok 3 - c\nok 4 - c\nnot ok 5 - d\n')
    const after = readResults('ok 1 - a\nnot ok 2 - b\nok 3 - c\nnot ok 4 - c\nnot ok 5 - d\n')
    expect(lostTests(before, after)).toEqual(['b', 'c'])
    expect(lostTests(before, before)).toEqual([])
  })
})
