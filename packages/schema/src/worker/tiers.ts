import type { CodeGeneration } from '../options.ts'
import type { Tier } from '../tiers.ts'

/** Functions are always closures, because workers forbid code generation from strings. */
export class Tiers {
  readonly mode: CodeGeneration = 'never'
  readonly forbiddance: string = 'this process forbids code made of text'
  readonly patience: number = 0

  tierOf(): Tier {
    return 'closures'
  }

  later(): void {}
}
