// BREACH: a page of another site makes a browser send requests with the cookies of its user, and measures the responses.
// Where a response has a secret beside a text of the request, and is compressed, their lengths tell the secret.
import { describe, expect, it } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { useApps } from '../harness/transports.ts'
import { register } from './web-app.ts'

const SECRET = '7e4b90d2'
const ALPHABET = '0123456789abcdef'.split('')
/** What the attacker knows of the page before the secret. */
const BEFORE = 'name="csrf" value="'

/** Returns the length of a response that a browser receives. */
type Measure = (text: string) => Promise<number>

const createApp = useApps()

async function victim(compress: object | boolean): Promise<{ app: App }> {
  const app = createApp({})
  await register(app, { compress })
  app.get('/search', (request, reply) => {
    const page = `<form><input type="hidden" ${BEFORE}${SECRET}"></form><p>Found for ${String(request.query['q'])}:</p><p>${'none. '.repeat(40)}</p>`
    return reply.type('text/html').send(page)
  })
  return { app }
}

/** A request that a page at another place starts, with the cookies of the user. */
const measureFrom =
  (app: App, site: string, coding: string): Measure =>
  async (text) => {
    const headers = { cookie: 'sid=1', 'sec-fetch-site': site, 'accept-encoding': coding }
    const { rawPayload } = await app.inject({ url: `/search?q=${encodeURIComponent(text)}`, headers })
    return rawPayload.length
  }

/** Texts behind a guess that change how the bits of the response fall into bytes. */
const PADDINGS = ['#', '#!', '#!*', '#!*@', '#!*@?', '#!*@?$']

/**
 * How much shorter responses are if a guess is at its place than if it is not: the same characters stand behind a mark,
 * so that nothing else differs.
 */
async function gainOf(measure: Measure, known: string, guess: string): Promise<number> {
  let gain = 0
  for (const padding of PADDINGS) {
    const hit = await measure(`${BEFORE}${known}${guess}${padding}`)
    const miss = await measure(`${BEFORE}${known}${padding}${guess}`)
    gain += miss - hit
  }
  return gain
}

/** Extends the best guesses by one character after the other, and returns them. */
async function attack(measure: Measure): Promise<readonly string[]> {
  let best = ['']
  for (let length = 0; length < SECRET.length; length += 1) {
    const gains = new Map<string, number>()
    for (const known of best)
      for (const character of ALPHABET) gains.set(known + character, await gainOf(measure, known, character))
    const most = Math.max(...gains.values())
    best = [...gains.keys()].filter((guess) => gains.get(guess) === most).slice(0, MAX_GUESSES)
  }
  return best
}

const MAX_GUESSES = 24

describe('a secret beside a text of the attacker', () => {
  it('is read from the lengths of compressed responses with crossSite, so that the attack works', async () => {
    const { app } = await victim({ crossSite: true, above: 0 })
    const found = await attack(measureFrom(app, 'cross-site', 'gzip'))
    expect(found).toContain(SECRET)
    expect(found.length).toBeLessThan(MAX_GUESSES)
  })

  it.each(['cross-site', 'same-site'])('has no part in the lengths by default: %s', async (site) => {
    const { app } = await victim({ above: 0 })
    for (const coding of ['gzip', 'br'])
      for (let length = 0; length < SECRET.length; length += 1) {
        // Also one who knows all characters before does not see the next one.
        const gains = new Set<number>()
        for (const character of ALPHABET)
          gains.add(await gainOf(measureFrom(app, site, coding), SECRET.slice(0, length), character))
        expect([...gains]).toEqual([0])
      }
  })

  it('does not keep the pages of the app itself from compressed responses', async () => {
    const { app } = await victim({ above: 0 })
    const text = 'tea'
    const plain = await measureFrom(app, 'cross-site', 'gzip')(text)
    for (const site of ['same-origin', 'none'])
      expect(await measureFrom(app, site, 'gzip')(text)).toBeLessThan(plain)
  })
})
