import { isIP } from 'node:net'
import { describe, expect, it } from 'vitest'
import { isAddress, readAddress } from '../../src/exchange/host.ts'

const ADDRESSES = [
  '0.0.0.0',
  '1.2.3.4',
  '9.19.99.199',
  '200.249.250.255',
  '::',
  '::1',
  '2001:db8::80',
  '::ffff:1.2.3.4',
  '1:2:3:4:5:6:7:8',
  'fe80::1%eth0.5',
]

describe('addresses', () => {
  it('are those that Node reads as addresses', () => {
    for (const text of [
      ...ADDRESSES,
      '',
      '1',
      '1.2.3',
      '1.2.3.4.',
      '1.2.3.4.5',
      '1.2.3.256',
      '01.2.3.4',
      '1.2.3.04',
      '0x1.2.3.4',
      ' 1.2.3.4',
      '1.2.3.4\n',
      ':',
      ':::',
      '::g',
      '1:2:3:4:5:6:7:8:9',
      '::1.2.3',
      '[::1]',
      '::1]',
      'a',
      'localhost',
    ])
      expect([text, isAddress(text)]).toEqual([text, isIP(text) !== 0])
  })

  it.each(ADDRESSES)('are read as they are, or beside a port: %s', (address) => {
    expect(readAddress(address)).toBe(address)
    const isLong = address.includes(':')
    const bare = isLong ? `[${address}]` : address
    expect(readAddress(bare)).toBe(address)
    expect(readAddress(`${bare}:1`)).toBe(address)
    expect(readAddress(`${bare}:65535`)).toBe(address)
    for (const text of [`${bare}:`, `${bare}:a`, `${bare}:123456`, `${bare} `, `x${bare}`, `${bare}/8`])
      expect([text, readAddress(text)]).toEqual([text, null])
  })

  it('are nothing else', () => {
    for (const text of ['', 'unknown', '_hidden', '[1.2.3.4]', '[]', '[]:1', '[::1', '::1]', ':80', '"::1"'])
      expect([text, readAddress(text)]).toEqual([text, null])
  })
})
