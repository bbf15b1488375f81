import type { Forms } from '../../src/tiers.ts'

/** Takes generated code for every function, from the first call on. */
export class TiersWithCode {
  readonly mode = 'always'
  readonly patience = 0

  first<Made>(forms: Forms<Made>): Made {
    return forms.generate()
  }
}
