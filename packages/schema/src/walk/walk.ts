import { Decisions } from '../runtime/decisions.ts'
import { Descent } from '../runtime/descent.ts'
import type { ErrorList } from './frame.ts'
import type { DynamicScope } from './dynamic-scope.ts'
import { Look } from './look.ts'
import { Mode } from './mode.ts'
import { Removal } from './removal.ts'
import type { WalkSettings } from './settings.ts'

/** What a referenced schema has decided about a value. */
export interface Decided {
  /** Null for a value that fits. */
  readonly errors: ErrorList | null
  /** Makes the removals known again. */
  readonly repeat: () => void
}

/** One walk over a value: what all its frames share. */
export class Walk {
  readonly settings: WalkSettings
  /** How a function begins. */
  readonly mode: Mode
  /** How a function begins in a branch of a union. */
  readonly trialMode: Mode
  /** What becomes of undeclared properties. */
  readonly removal: Removal = new Removal()
  /** The resources around the schema that is applied; undefined where no schema has a `$dynamicRef`. */
  scope: DynamicScope | undefined = undefined
  #errors: number = 0
  /**
   * What referenced schemas have decided: the errors, or null. As long as checks are free everything happens as in Ajv,
   * where a second look may find data that the first has changed.
   */
  readonly decisions: Decisions<Decided> = new Decisions()
  /** Looks at values that hold little. */
  readonly look: Look = new Look()
  /** How many schemas are open. */
  readonly descent: Descent = new Descent()

  constructor(settings: WalkSettings) {
    this.settings = settings
    const isLimited = settings.errorLimit !== undefined && settings.errorLimit > 1
    this.mode = new Mode(false, settings.allErrors || isLimited, false, undefined, isLimited)
    this.trialMode = isLimited ? new Mode(false, false, false) : this.mode
  }

  /** Begins the walk, or a part of it that is decided by itself. */
  begin(): void {
    this.#errors = 0
    this.removal.hasRefused = false
    if (this.mode.isLimited) this.mode.isThorough = true
  }

  /** Counts an error outside of unions; false when enough are reported. The last one ends the walk. */
  admits(mode: Mode): boolean {
    const { errorLimit } = this.settings
    if (errorLimit === undefined || mode !== this.mode || !mode.isLimited) return true
    this.#errors += 1
    if (this.#errors >= errorLimit) mode.isThorough = false
    return this.#errors <= errorLimit
  }
}
