import type { Acceptors, ValidatorParts } from './create-validator.ts'
import type { Accept } from './decider.ts'

/** What writes the errors of a validator. */
export type Refusal = Pick<ValidatorParts, 'decider' | 'mapErrors'>

/** The parts of a validator whose acceptor was made when the app was built. */
export class AheadParts implements ValidatorParts {
  readonly tiers: null = null
  readonly #accept: (() => Accept) | null
  readonly #refusal: Refusal

  /** @param accept - makes the acceptor; `null` if only the refusal can decide about any value */
  constructor(accept: (() => Accept) | null, refusal: Refusal) {
    this.#accept = accept
    this.#refusal = refusal
  }

  acceptors(): Acceptors | undefined {
    return this.#accept === null ? undefined : { mayAccept: true, acceptor: this.#accept }
  }

  generate(): Accept {
    throw new TypeError('the acceptor was made when the app was built')
  }

  decider(): ReturnType<ValidatorParts['decider']> {
    return this.#refusal.decider()
  }

  mapErrors(...given: Parameters<ValidatorParts['mapErrors']>): ReturnType<ValidatorParts['mapErrors']> {
    return this.#refusal.mapErrors(...given)
  }
}
