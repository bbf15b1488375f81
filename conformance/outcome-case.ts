// Something that an application asks of a framework, and what comes out on each. The tables of docs/evidence/requests-of-users.md and
// docs/migrating.md are such cases.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { App } from './harness/app-shape.ts'
import type { SubjectName } from './harness/subject.ts'

/** Makes an app that is closed after the case. */
export type CreateApp = (options?: Record<string, unknown>) => App

/** One row of a table. */
export interface OutcomeCase {
  /** As the row is numbered; a letter marks what an option changes. */
  readonly number: string
  /** What is asked, as a sentence. */
  readonly asks: string
  /** Does it, and says what came out, in the words of the table. */
  readonly probe: (createApp: CreateApp) => Promise<string>
  /** What comes out; for a peer that knows no such option, nothing. */
  readonly outcome: Readonly<Record<SubjectName, string | null>>
  /** What comes out with `strict: true`, where it is not the same as in Cloister without it. */
  readonly strict?: string
}

/** What an error response says in words, in any of its forms. */
export function messageOf(body: unknown): string {
  const { message, detail, title } = Object(body)
  return String(message ?? detail ?? title)
}

/** The two lines of the peer do the same. */
export function peers(outcome: string | null): Pick<OutcomeCase['outcome'], 'fastify4' | 'fastify5'> {
  return { fastify4: outcome, fastify5: outcome }
}

/** The first cells of a case's row: its number, what is asked, and what comes out on each framework. */
export function rowOf({ number, asks, outcome }: OutcomeCase): string {
  const [four, five, ours] = [outcome.fastify4, outcome.fastify5, outcome.cloister].map((text) =>
    text === null ? 'no such option' : `\`${text}\``,
  )
  return `| ${number} | ${asks} | ${four} | ${four === five ? 'same' : five} | ${ours} |`
}

/** As {@link rowOf}, with the cell of Cloister with `strict: true`. */
export function rowWithStrict(row: OutcomeCase): string {
  return `${rowOf(row)} ${row.strict === undefined ? 'same' : `\`${row.strict}\``} |`
}

/**
 * The rows of a page of the docs that begin with a number.
 * @param columns - how many of their columns are wanted: 5 end with that of Cloister
 */
export function rowsOfPage(page: string, columns: number = 5): string[] {
  const text = readFileSync(path.resolve(import.meta.dirname, '../docs', page), 'utf8')
  return text
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => `${line.split(' |').slice(0, columns).join(' |')} |`)
}
