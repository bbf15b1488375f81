import { describe, expect, it } from 'vitest'
import { readTarget } from '../../packages/cloister/src/transport/inject/injected-request.ts'
import { Random } from '../../packages/schema/test/validator/random.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_122)
const RUNS = 20_000

const PLAIN = String.raw`a B 9 / / . .. % %2e %2E %2f %41 ? ? & = + ; : , @ ! $ ' ( ) * ~ - _ # \ | ^ [ ] { } < > "`
const OTHERS = ['`', ' ', '\t', '\n', '\u00e9', '\u{1f600}', '\ud800', '\u0000', '/./', '/../', '/.a']
const PIECES = [...PLAIN.split(' '), ...OTHERS]

function randomPath(random: Random): string {
  let path = '/'
  for (let count = random.below(8); count > 0; count -= 1) path += random.pick(PIECES)
  return path
}

/** What the parser of the platform makes of a path; two slashes at its front do not begin a host. */
function parse(path: string): string {
  const { pathname, search } = path.startsWith('//')
    ? new URL(`http://localhost${path}`)
    : new URL(path, 'http://localhost')
  return pathname + search
}

function orError(read: () => string): string {
  try {
    return read()
  } catch (error) {
    return String(error)
  }
}

describe('the target of an injected request', () => {
  it(`is what the parser of URLs makes of a path (CLOISTER_SEED=${SEED})`, () => {
    const random = new Random(SEED)
    for (let run = 0; run < RUNS; run += 1) {
      const path = randomPath(random)
      const target = orError(() => readTarget({ url: path }).target)
      expect([path, target]).toEqual([path, orError(() => parse(path))])
    }
  })

  it('has the host of its URL, with the port', () => {
    const hosts = ['/a', 'http://a.org/', 'https://a.org/', 'http://a.org:81/'].map(
      (url) => readTarget({ url }).host,
    )
    expect(hosts).toEqual(['localhost:80', 'a.org:80', 'a.org:443', 'a.org:81'])
  })
})
