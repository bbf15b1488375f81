// The words of the project (CONTRIBUTING.md): comments and messages name the actor.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { trackedFiles } from '../lib/files.mjs'
import { repository } from '../lib/run.mjs'

type Advice = readonly (readonly [RegExp, string])[]

/** Insiders' words, which users of the framework do not know. */
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

/** A response, a reply, and what handlers return have names of their own. */
const ANSWERS: Advice = [[/answer/i, 'say response, reply, send']]

/** Our own words for which the field has a term. */
const RIDDLES: Advice = [
  ...ANSWERS,
  [/\b(is|are|was|were|be) told\b|\bwhat of\b|\bwho reads it\b/i, 'say what happens, actor first'],
  [/\b(when|unless|as|if) told\b|\b(tells|told) (why|which|by)\b/i, 'say what sets it, or what it returns'],
  [/\b(stands? (by|for|within|in|as|there)|as it stands)\b/i, 'say is, has, contains'],
  [
    /\b(that|which|and) says so\b|\bstops? the start\b|\bthe way out\b/i,
    'say what the error has, or what to do',
  ],
  [/^#+ (What (is|of)|Who|How it)\b/, 'a heading names the thing'],
  [/\bkept connections?\b/i, 'say keep-alive connection'],
  [/\b(each (second|third|tenth)|for ever|some \d[\d,]*)\b/i, 'say every tenth, forever, about 20'],
  [/\bat a load of\b/i, 'say at a load average of'],
]

/** The changelog; the list of words, which quotes what to avoid; the pages that quote messages of errors. */
const QUOTING = /^CHANGELOG\.md$|^CONTRIBUTING\.md$|^docs\/evidence\/mistakes/

/** Removes quotations from a line: the names of tests in the last column of compatibility tables, and code. */
function withoutQuotes(line: string): string {
  return line
    .replace(/\| `[\w/.-]+\.test\.ts`: .*$/, '')
    .replaceAll(/`[^`]*`|\[[^\]]*\]\([^)]*\.test\.ts\)/g, '')
}

/** The pages for users and contributors. */
const pages = trackedFiles(repository).filter((file) =>
  /^[A-Z_]+\.md$|^docs\/([a-z]+\/)?[^/]+\.md$|^(packages|examples)\/[^/]+\/(README|SKILL)\.md$|^(benchmarks|conformance)\/README\.md$/.test(
    file,
  ),
)

function faultsIn(
  files: readonly string[],
  avoided: Advice,
  read = (line: string): string => line,
): string[] {
  return files.flatMap((file) =>
    readFileSync(path.join(repository, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        avoided
          .filter(([words]) => words.test(read(line)))
          .map(([, advice]) => `${file}:${index + 1} ${line.trim()} (${advice})`),
      ),
  )
}

it('are kept in the sources of the packages', () => {
  expect(sources.length).toBeGreaterThan(0)
  expect(faultsIn(sources, AVOIDED)).toEqual([])
})

it('are kept in names too, in sources and tests', () => {
  const code = trackedFiles(repository).filter(
    (file) => /\.[cm]?[jt]s$/.test(file) && !/words\.test/.test(file),
  )
  expect(code.length).toBeGreaterThan(1000)
  expect(faultsIn(code, ANSWERS)).toEqual([])
})

it('are kept in the pages that users read', () => {
  expect(pages.length).toBeGreaterThan(20)
  expect(
    faultsIn(
      pages.filter((file) => file !== 'CONTRIBUTING.md'),
      INSIDERS,
    ),
  ).toEqual([])
})

it('are kept in the pages about the framework, which have the terms of the field', () => {
  const foreign = pages.filter((file) => !QUOTING.test(file))
  expect(foreign.length).toBeGreaterThan(140)
  expect(faultsIn(foreign, RIDDLES, withoutQuotes)).toEqual([])
})

/** The line below the title of a page: what the page is for. */
function purposeOf(text: string): string {
  return /^# .+\n+(.+)/.exec(text.replaceAll(/<!--[^]*?-->/g, ''))?.[1] ?? ''
}

/** A sentence of at least five words: no heading, table, list, quotation or code. */
const SENTENCE = /^(?!```|[#|>-] ?|\d+\. |(State|Status):)\S+( \S+){4,}[.:]$/

it.each(pages.filter((file) => /README\.md$|^docs\//.test(file)))(
  'and %s begins with a sentence that says what it is for',
  (file) => {
    const purpose = purposeOf(readFileSync(path.join(repository, file), 'utf8'))
    expect(purpose).toMatch(SENTENCE)
    if (/^docs\/adr\/\d/.test(file)) expect(purpose).toMatch(/^This record /)
  },
)

it.each([
  '# Jobs\n\n```ts\n',
  '# 0001: a decision\n\nState: accepted, and replaced by nothing.\n',
  '# Streams\n\n- Ten thousand of them in one process.\n',
  '# Hooks\n\n## Request hooks of an app and its routes.\n',
])('and %j would be found', (text) => {
  expect(purposeOf(text)).not.toMatch(SENTENCE)
})

it.each([
  'the answer carries the status',
  '600 requests over kept connections',
  'GET requests, each tenth a POST',
  '| a row | what is told to it | `routing/raw.test.ts`: answers | and a name',
  'an error that says so',
  '## What is promised',
])('and a page with "%s" would be found', (line) => {
  expect(RIDDLES.some(([words]) => words.test(withoutQuotes(line)))).toBe(true)
})

it('and the name of a test, or code, may have them', () => {
  const line = '| app.routing | same | `boot/instance.test.ts`: answers when told so |'
  expect(RIDDLES.some(([words]) => words.test(withoutQuotes(line)))).toBe(false)
  expect(withoutQuotes('call `answer()`')).toBe('call ')
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
