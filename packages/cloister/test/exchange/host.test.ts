import { describe, expect, it } from 'vitest'
import { isHost } from '@cloister/wire/message'

describe('a Host', () => {
  it.each([
    '',
    'a',
    'A.example',
    'a_b',
    "a!$&'()*+;=b~-.",
    'a%20b',
    'a%FFb',
    '127.0.0.1',
    '[::1]',
    '[::ffff:1.2.3.4]',
    '[ABCD::1]',
    '[v1.a:b]',
    '[vF0.a]',
  ])('is %j, with and without a port', (host) => {
    for (const port of ['', ':', ':0', ':80', ':65535'])
      expect([host + port, isHost(host + port)]).toEqual([host + port, true])
    for (const port of [':65536', ':-1', ':x', ':80x', ':1:2', ':99999999999999999999', ':8 0'])
      expect([host + port, isHost(host + port)]).toEqual([host + port, false])
  })

  it.each([
    'a/b',
    'a b',
    ' a',
    'a ',
    'a@b',
    'a,b',
    'a\\b',
    'a?b',
    'a#b',
    '<a>',
    '"a"',
    'a%zz',
    'a%2',
    'a%',
    'h\u00f6st',
    'a\0',
    '[::1',
    '::1',
    '[]',
    '[::zz]',
    '[::1]]',
    'x[::1]',
    '[::1]x',
    '[1.2.3.4]',
    '[zz::1]',
    '[\t::1]',
    '[::1\t]',
    '[::1\n]',
    '[::1zz]',
    '[::1/]',
    '[/::1]',
    '[12345::1]',
    '[a]',
    '[fe80::1%25eth0]',
    '[fe80::1%eth0]',
    '[v.a]',
    '[v1.]',
    '[v1a]',
    '[xv1.a]',
    '[v1.a/b]',
    '[vg.a]',
  ])('is not %j', (host) => {
    expect(isHost(host)).toBe(false)
  })
})
