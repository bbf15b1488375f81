import { isFunction, type AnyFunction } from '../../guards.ts'
import type { RoutePlan } from '../../request/route-plan.ts'
import type { AdHocCompilers, SchemaUse } from '../../request/services.ts'
import { engineSerializer, engineValidator } from './compilers.ts'

type Cache = WeakMap<RoutePlan, WeakMap<object, AnyFunction>>

/** Creates the compilers for schemas that handlers pass at run time. Each schema is compiled once per route. */
export function createAdHocCompilers(): AdHocCompilers {
  const validators: Cache = new WeakMap()
  const serializers: Cache = new WeakMap()
  return {
    validator: (plan, schema) => validators.get(plan)?.get(schema),
    compileValidator: (plan, schema, use) =>
      remember(validators, plan, schema, () => compileValidator(plan, schema, use)),
    serializer: (plan, schema) => serializers.get(plan)?.get(schema),
    compileSerializer: (plan, schema, use) =>
      remember(serializers, plan, schema, () => compileSerializer(plan, schema, use)),
  }
}

function remember(cache: Cache, plan: RoutePlan, schema: object, compile: () => unknown): AnyFunction {
  const byRoute = cache.get(plan) ?? new WeakMap<object, AnyFunction>()
  cache.set(plan, byRoute)
  const known = byRoute.get(schema)
  if (known !== undefined) return known
  const compiled = compile()
  if (!isFunction(compiled)) throw new TypeError('the schema compiler must return a function')
  byRoute.set(schema, compiled)
  return compiled
}

function compileValidator(plan: RoutePlan, schema: object, use: SchemaUse): unknown {
  const { method, url, httpPart } = use
  const compile = plan.validatorCompiler ?? engineValidator(plan.context)
  return compile({ schema, method, url, httpPart })
}

function compileSerializer(plan: RoutePlan, schema: object, use: SchemaUse): unknown {
  const { method, url, httpStatus, contentType } = use
  const compile = plan.serializerCompiler ?? engineSerializer(plan.context, plan.serialization)
  return compile({ schema, method, url, httpStatus, contentType })
}
