import { describe, expect, it } from 'vitest'
import { adaptRequestHook } from '../../src/hooks/request-hook.ts'
import type { RequestHook } from '../../src/hooks/request-hook.ts'
import type { AnyFunction } from '../../src/guards.ts'
import { runHooksAside } from '../../src/request/watch.ts'
import { OpenRequest } from './open-reply.ts'

const INSTANCE = { name: 'instance' }

/** Runs hooks with so many arguments before `done`; gives how they ended. */
function run(args: number, ...hooks: AnyFunction[]): { given: OpenRequest; endings: unknown[] } {
  const given = new OpenRequest()
  const endings: unknown[] = []
  const adapted: RequestHook[] = hooks.map((fn) => adaptRequestHook(fn, args, INSTANCE, () => 'hook'))
  runHooksAside(adapted, given.reply, (reply, failure, note) => endings.push([reply, failure, note]), 'note')
  return { given, endings }
}

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

describe('hooks beside the path', () => {
  it('are over at once where none is there', () => {
    const { given, endings } = run(2)
    expect(endings).toEqual([[given.reply, null, 'note']])
  })

  it('get the request and the reply, or the request alone', () => {
    const seen: unknown[][] = []
    const note = async (...given: readonly unknown[]): Promise<void> => void seen.push([...given])
    const all = run(3, note)
    const pair = run(2, note)
    const one = run(1, note)
    expect(seen).toEqual([
      [all.given.request, all.given.reply, undefined],
      [pair.given.request, pair.given.reply],
      [one.given.request],
    ])
  })

  it('run one after the other, whether they return, promise or call back', async () => {
    const seen: string[] = []
    const { given, endings } = run(
      2,
      () => void seen.push('returns'),
      async () => {
        await settled()
        seen.push('promises')
      },
      (_request, _reply, done) => {
        setImmediate(() => {
          seen.push('calls back')
          if (typeof done === 'function') done()
        })
      },
      () => void seen.push('last'),
    )
    expect(seen).toEqual(['returns'])
    await settled()
    await settled()
    await settled()
    expect(seen).toEqual(['returns', 'promises', 'calls back', 'last'])
    expect(endings).toEqual([[given.reply, null, 'note']])
  })

  it.each<[string, AnyFunction]>([
    [
      'throws',
      () => {
        throw new Error('failed')
      },
    ],
    ['rejects', () => Promise.reject(new Error('failed'))],
    [
      'calls back with an error',
      (_request, _reply, done) => typeof done === 'function' && done(new Error('failed')),
    ],
  ])('end with one that %s', async (_how, hook) => {
    const seen: string[] = []
    const { given, endings } = run(2, hook, () => void seen.push('next'))
    await settled()
    expect(seen).toEqual([])
    expect(endings).toEqual([[given.reply, { thrown: new Error('failed') }, 'note']])
  })
})
