import type { CodeGeneration } from '../options.ts'
import type { Forms, Tier, Tiered } from '../tiers.ts'

/** Functions are always closures, because workers forbid code generation from strings. */
export class Tiers {
  readonly mode: CodeGeneration = 'never'
  readonly forbiddance: string = 'this process forbids code made of text'

  tierOf(): Tier {
    return 'closures'
  }

  start<Result>(forms: Forms<Result>): Tiered<Result> {
    return forms.interpret()
  }
}
