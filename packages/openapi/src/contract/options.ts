import type { CloisterInstance } from 'cloister'

import type { DocumentOptions } from '../options.ts'

/** Options of `checkContract`. */
export interface ContractOptions {
  /**
   * How many valid requests are sent to each operation; as many again with one mistake.
   *
   * @default 20
   */
  readonly runs?: number
  /** The seed of the random values; by default a new one for each call, which the report has. */
  readonly seed?: number
  /** Headers of all requests, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Sends requests with a mistake too, which the app must refuse.
   *
   * @default true
   */
  readonly invalid?: boolean
  /**
   * Milliseconds that a response may take.
   *
   * @default 5000
   */
  readonly timeout?: number
  /** Options of the document; they come before those of the plugin, where the app has registered it. */
  readonly document?: DocumentOptions
}

/** What is checked. */
export type CheckedApp = Pick<CloisterInstance, 'explain' | 'ready' | 'inject'>
