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
})

function taken(): CallSite {
  return new CallSite(taken)
}
