// The words of the project (CONTRIBUTING.md): comments and messages name the actor.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { trackedFiles } from '../lib/files.mjs'
import { repository } from '../lib/run.mjs'

type Advice = readonly (readonly [RegExp, string])[]

/** The words of insiders, which users of the framework do not have. */
const INSIDERS: Advice = [
  [/\b(both|two|either) lines of (Fastify|the peer)\b|\b[45]\.x lines?\b/i, 'say Fastify 4.x, Fastify 5.x'],
  [/\bthe peers?\b(?! address|'s address)/i, 'say Fastify'],
  [/\b(canary|canaries|beat list)\b/i, 'say what it is: a planted fault, requests of users'],
]

const AVOIDED: Advice = [
  ...INSIDERS,
  [
    /\b(somebody|nobody|whoever)\b/i,
    'name the actor: the client, the handler, the caller, the transport, Ajv',
  ],
  [/\b(is|are|was|were|be) told\b/i, 'say what it gets, or who calls it'],
  [/^\s*(\/\*\*|\*) (Tells|True (for|when|if))\b/, 'begin with the verb of what it returns, or "Whether"'],
  [/\b(an unknown place|unless told otherwise|has its say|looks on)\b/i, 'use the term of the word list'],
]

const sources = trackedFiles(repository).filter((file) => /^packages\/[^/]+\/src\/.*\.ts$/.test(file))

/** Words of ours for which the field has a term. */
const RIDDLES: Advice = [
  [/\banswer(s|ed|ing)?\b/i, 'say response, reply, send'],
  [/\b(is|are|was|were|be) told\b|\bwhat of\b|\bwho reads it\b/i, 'say what happens, actor first'],
]

/** The pages that users read: not those about our own decisions and evidence. */
const pages = trackedFiles(repository).filter((file) =>
  /^(README|CHANGELOG|SECURITY)\.md$|^docs\/(guide\/|recipes\/)?[^/]+\.md$|^(packages|examples)\/[^/]+\/README\.md$/.test(
    file,
  ),
)

function faultsIn(files: readonly string[], avoided: Advice): string[] {
  return files.flatMap((file) =>
    readFileSync(path.join(repository, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        avoided
          .filter(([words]) => words.test(line))
          .map(([, advice]) => `${file}:${index + 1} ${line.trim()} (${advice})`),
      ),
  )
}

it('are kept in the sources of the packages', () => {
  expect(sources.length).toBeGreaterThan(0)
  expect(faultsIn(sources, AVOIDED)).toEqual([])
})

it('are kept in the pages that users read', () => {
  expect(pages.length).toBeGreaterThan(20)
  expect(faultsIn(pages, INSIDERS)).toEqual([])
})

it('are kept in the guide, the recipes and the first pages, which have no words of our own', () => {
  const first = pages.filter((file) => /^README\.md$|^docs\/(guide|recipes)\/|^packages\//.test(file))
  expect(first.length).toBeGreaterThan(20)
  expect(faultsIn(first, RIDDLES)).toEqual([])
})

it.each([
  'as in the 4.x line',
  'The peers refuse it',
  'has a canary',
  'Whoever calls it',
  '/** Tells a list */',
])('and a line with "%s" would be found', (line) => {
  expect(AVOIDED.some(([words]) => words.test(line))).toBe(true)
})
