import { expect, it } from 'vitest'
import { CUT, LOST, OVER, SENT, WAITING, WRITING } from '../../src/message/turn.ts'

it('allows nothing to an exchange that is over, but to read the rest of a body', () => {
  for (const turn of [SENT, LOST, CUT, OVER]) {
    const { mayInform, mayBegin, mayWrite, mayCut, isOver } = turn
    expect([turn.name, mayInform, mayBegin, mayWrite, mayCut, isOver]).toEqual([
      turn.name,
      false,
      false,
      false,
      false,
      true,
    ])
  }
  expect([SENT, LOST, CUT, OVER].map(({ mayRead }) => mayRead)).toEqual([true, false, false, false])
})

it('allows interim responses and a head once, and content behind the head', () => {
  expect([WAITING.mayInform, WAITING.mayBegin, WAITING.mayWrite]).toEqual([true, true, false])
  expect([WRITING.mayInform, WRITING.mayBegin, WRITING.mayWrite]).toEqual([false, false, true])
})

it('tells a response that was ended from a client that has gone', () => {
  expect([SENT, OVER].map(({ isComplete, isGone }) => [isComplete, isGone])).toEqual([
    [true, false],
    [true, false],
  ])
  expect([LOST, CUT].map(({ isComplete, isGone }) => [isComplete, isGone])).toEqual([
    [false, true],
    [false, true],
  ])
  expect([WAITING, WRITING].some(({ isComplete, isGone }) => isComplete || isGone)).toBe(false)
})
