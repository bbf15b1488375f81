import type { Forms, Tiered } from '../../src/tiers.ts'

/** Takes generated code for every function, from the first call on. */
export class TiersWithCode {
  readonly mode = 'always'

  start<Result>(forms: Forms<Result>): Tiered<Result> {
    return forms.generate()
  }
}
