import type { CodeGeneration } from '../options.ts'
import type { Forms, Tier, Tiered } from '../tiers.ts'

/** Functions are closures and stay so: workers forbid code that is made of text. */
export class Tiers {
  readonly mode: CodeGeneration = 'never'
  readonly forbiddance: string = 'this process forbids code made of text'

  tierOf(): Tier {
    return 'closures'
  }

  /** Makes the one form of a function. */
  start<Result>(forms: Forms<Result>): Tiered<Result> {
    return forms.interpret()
  }
}
