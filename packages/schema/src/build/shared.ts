import type { SchemaChecker } from '../check/check-schema.ts'
import type { SchemaEngineOptions } from '../options.ts'
import type { Tiers } from '../tiers.ts'
import type { ValidatorPolicy } from '../validator/policy.ts'
import type { WorkQueue } from '../work-queue.ts'

/** What the validators and the serializers of an engine share. */
export interface BuildParts {
  readonly options: SchemaEngineOptions
  readonly policy: ValidatorPolicy
  readonly checker: SchemaChecker
  readonly tiers: Tiers
  /** Functions that wait until the application is idle. */
  readonly queue: WorkQueue
}
