import { runInThisContext } from 'node:vm'

import { describe, expect, it } from 'vitest'

import { CallSite } from '../src/call-site.ts'

describe('a call site', () => {
  it.each(['plain', 'with (parentheses)', 'with (one', '(whole)'])(
    'is found in a function that is called %s',
    (name) => {
      const holder = { [name]: (): string => new CallSite(describe).toString() }
      const inner = { [name]: (): CallSite => taken() }
      expect(holder[name]?.()).toMatch(/:\d+$|an unknown file/)
      expect(inner[name]?.().toString()).toMatch(/^[^()]*call-site\.test\.ts:\d+$/)
    },
  )

  it.each(['cli', 'websocket'])('is not in the installed package @cloister/%s', (name) => {
    const filename = `/app/node_modules/@cloister/${name}/dist/index.js`
    const call: unknown = runInThisContext('(run) => run()', { filename })
    if (typeof call !== 'function') throw new Error('not a function')
    const site: unknown = Reflect.apply(call, null, [taken])
    expect(String(site)).toMatch(/call-site\.test\.ts:\d+$/)
  })
})

function taken(): CallSite {
  return new CallSite(taken)
}
