import type { CloisterInstance } from 'cloister'

import type { DocumentOptions } from '../options.ts'

/** Options of `checkContract`. */
export interface ContractOptions {
  /**
   * How many valid requests are sent to each operation, and how many with one mistake.
   *
   * @default 20
   */
  readonly runs?: number
  /** The seed of the random values. The default is a new seed for each call; the report contains it. */
  readonly seed?: number
  /** Headers of all requests, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Also sends requests with a mistake, which the app must refuse.
   *
   * @default true
   */
  readonly invalid?: boolean
  /**
   * How long a response may take, in milliseconds.
   *
   * @default 5000
   */
  readonly timeout?: number
  /** Options of the document; they override those of the registered plugin. */
  readonly document?: DocumentOptions
}

/** The members of an app that the check uses. */
export type CheckedApp = Pick<CloisterInstance, 'ready' | 'inject'>
