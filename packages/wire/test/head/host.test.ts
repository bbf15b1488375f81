import { expect, it } from 'vitest'
import { isHost } from '../../src/head/field-rules.ts'

const judge = (host: string): boolean => {
  const bytes = Buffer.from(`<${host}>`, 'latin1')
  return isHost(bytes, 1, bytes.length - 1)
}

it.each([
  '',
  'a',
  'a.example:8080',
  'a_b',
  '127.0.0.1:80',
  '[::1]',
  '[::1]:3000',
  '[v1.a:b]',
  'a%20b',
  'a:',
  "a!$&'()*+;=b",
])('takes %j as a host', (host) => {
  expect(judge(host)).toBe(true)
})

it.each([
  'a/b',
  'a b',
  'a@b',
  'a,b',
  'a\\b',
  'a?b',
  'a#b',
  'a:80:80',
  'a:x',
  'a:-1',
  'a:65536',
  '[::1',
  '::1',
  '[::zz]',
  '[fe80::1%25eth0]',
  '<a>',
  'a%zz',
  'h\u00f6st',
  'a:99999999999999999999',
])('refuses %j as a host', (host) => {
  expect(judge(host)).toBe(false)
})
