import semver from 'semver'
import { describe, expect, it } from 'vitest'
import { satisfies } from '../../src/worker/ranges.ts'

const VERSIONS = ['4.29.1', '5.12.8', '5.0.0', '4.0.0', '0.1.0', '0.0.3', '6.1.0', '3.29.0']
const PARTIALS = [
  '4',
  '5',
  '4.29',
  '4.x',
  '5.0.0',
  '4.29.1',
  '5.12.8',
  '5.12.*',
  '0',
  '0.1',
  '0.0.3',
  '0.1.x',
  'x',
  '*',
]
const OPERATORS = ['', '=', '>', '>=', '<', '<=', '^', '~', '>= ', 'v']
const OTHERS = [
  '',
  '4.x || 5.x',
  '^4.0.0||^5.0.0',
  '>=4.0.0 <6',
  '>= 4.0.0  < 5.0.0',
  '4 - 5',
  '4.0.0 - 4.29.1',
  '3.x - 4.29',
  '^5.0.0-alpha.3',
  '>5.0.0-alpha',
  '<5.0.0-0',
  '<=5.0.0-rc.1',
  '5.0.0-alpha',
  '>=5.0.0-pre.fv5.1',
  'latest',
  'five',
  '4..1',
]

describe('the version ranges of workers', () => {
  const ranges = [
    ...OPERATORS.flatMap((operator) => PARTIALS.map((partial) => operator + partial)),
    ...OTHERS,
  ]

  it.each(ranges)("are read as npm reads them: '%s'", (range) => {
    for (const version of VERSIONS) {
      const expected = semver.satisfies(version, range, { includePrerelease: true })
      expect([version, satisfies(version, range)]).toEqual([version, expected])
    }
  })
})
