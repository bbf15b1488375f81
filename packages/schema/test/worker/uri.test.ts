import fastUri from 'fast-uri'
import { describe, expect, it } from 'vitest'
import { resolve } from '../../src/worker/uri.ts'

/** The first is that of RFC 3986 section 5.4. */
const BASES = [
  'http://a/b/c/d;p?q',
  'http://a',
  'http://a/b/?q#f',
  'https://Example.com/schemas/root.json',
  'urn:example:x',
  '/x/y',
  'a/b',
  'root.json',
]
/** Those of RFC 3986 section 5.4, and what schemas have. */
const REFERENCES = (
  'g:h g ./g g/ /g //g ?y g?y #s g#s g?y#s ;x g;x . ./ .. ../ ../g ../.. ../../ ../../g ../../../g ../../../../g ' +
  '/./g /../g g. .g g.. ..g ./../g ./g/. g/./h g;x=1/./y g?y/./x g#s/../x item.json#/definitions/x urn:a:b HTTP://B/c'
).split(' ')

describe('the URI resolver of workers', () => {
  it.each(BASES)('resolves references against %s as the parser of the other builds does', (base) => {
    for (const reference of ['', ...REFERENCES]) {
      expect([reference, resolve(base, reference)]).toEqual([reference, fastUri.resolve(base, reference)])
    }
  })
})
