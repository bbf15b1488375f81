import { findTooDeep } from '../document/depth.ts'
import { SchemaError, type RouteRef } from '../errors.ts'
import { isStackOverflow } from '../nesting.ts'
import { SerializerBuildError } from '../serializer/read/source.ts'
import type { Ahead } from '../ahead/ahead.ts'
import type { SchemaChecker } from '../check/check-schema.ts'
import type { SchemaEngineOptions } from '../options.ts'
import type { Tiers } from '../tiers.ts'
import type { ValidatorPolicy } from '../validator/policy.ts'
import type { WorkQueue } from '../queues.ts'

/** A schema with its part and route, for messages. */
export interface SchemaUse {
  readonly schema: unknown
  readonly part: string
  readonly route: RouteRef | undefined
}

/** Returns the error of a compiler, with the part and the route if it is about the schema. */
export function located({ schema, part, route }: SchemaUse, error: unknown): unknown {
  const problem = isStackOverflow(error) ? (findTooDeep(schema) ?? error) : error
  if (problem instanceof SchemaError) return problem.at(part, route)
  if (!(problem instanceof SerializerBuildError)) return problem
  const { reason, pointer } = problem
  return new SchemaError({ code: 'SCHEMA_INVALID', reason, pointer, part, route, cause: problem })
}

/** Runs a compiler. Its errors get the part and the route if they are about the schema. */
export function locating<Result>(use: SchemaUse, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw located(use, error)
  }
}

/** The common parts of an engine's validators and serializers. */
export interface BuildParts {
  readonly options: SchemaEngineOptions
  readonly policy: ValidatorPolicy
  readonly checker: SchemaChecker
  readonly tiers: Tiers
  /** Functions that were made ahead; `null` in an app that was not built. */
  readonly ahead: Ahead | null
  /** Functions that are compiled when the application is idle. */
  readonly queue: WorkQueue
}
