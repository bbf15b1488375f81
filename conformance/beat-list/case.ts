// A case of the beat list: something that an application asks of a framework, and what each framework does.
import type { App } from '../harness/app-shape.ts'
import type { SubjectName } from '../harness/subject.ts'

/** Makes an app that is closed after the case. */
export type CreateApp = (options?: Record<string, unknown>) => App

/** One row of `docs/beat-list.md`. */
export interface BeatCase {
  /** As the row is numbered; a letter marks what an option changes. */
  readonly number: string
  /** What is asked, as a sentence. */
  readonly asks: string
  /** Does it, and says what came out, in the words of the table. */
  readonly probe: (createApp: CreateApp) => Promise<string>
  /** What comes out; for a peer that knows no such option, nothing. */
  readonly outcome: Readonly<Record<SubjectName, string | null>>
}

/** The two lines of the peer do the same. */
export function peers(outcome: string | null): Pick<BeatCase['outcome'], 'fastify4' | 'fastify5'> {
  return { fastify4: outcome, fastify5: outcome }
}
