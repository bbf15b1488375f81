import { describe, expect, it } from 'vitest'

import { problemOfStatus } from '../../../src/request/errors/problem.ts'

describe('problem details of a refusal without a request', () => {
  it('have a detail where there is one', () => {
    expect(problemOfStatus(408, 'Request Timeout', 'too slow')).toStrictEqual({
      type: 'about:blank',
      title: 'Request Timeout',
      status: 408,
      detail: 'too slow',
    })
    expect(problemOfStatus(400, 'Bad Request')).toStrictEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
    })
  })
})
