import { describe, expect, it } from 'vitest'
import { earlierVersions } from '../../site/versions.mjs'

const CHANGELOG = `# Changelog

## Unreleased

## 1.1.0 - 2027-03-01

## 1.0.1 - 2027-02-01

## 1.0.0 - 2027-01-01

## 0.2.0 - 2026-12-01
`

describe('the versions of the documentation', () => {
  it('are the earlier minor versions of the changelog, each once, the newest first', () => {
    expect(earlierVersions(CHANGELOG, '1.1.0')).toEqual([
      { text: '1.0', link: '/v/1.0/', target: '_self' },
      { text: '0.2', link: '/v/0.2/', target: '_self' },
    ])
  })

  it('are none before the first release', () => {
    expect(earlierVersions('## Unreleased', '0.1.0')).toEqual([])
  })
})
