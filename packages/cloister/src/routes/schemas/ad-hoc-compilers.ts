import { getOrMake, isFunction, type AnyFunction } from '../../guards.ts'
import type { RoutePlan } from '../../request/route-plan.ts'
import type { AdHocCompilers } from '../../request/services.ts'
import { engineSerializer, engineValidator } from './compilers.ts'

type Cache = WeakMap<RoutePlan, WeakMap<object, AnyFunction>>

/** Creates the compilers for schemas that handlers pass at run time. Each schema is compiled once per route. */
export function createAdHocCompilers(): AdHocCompilers {
  const validators: Cache = new WeakMap()
  const serializers: Cache = new WeakMap()
  return {
    validator: (plan, schema) => validators.get(plan)?.get(schema),
    compileValidator: (plan, schema, { method, url, httpPart }) =>
      remember(validators, plan, schema, () => {
        const compile = plan.validatorCompiler ?? engineValidator(plan.context)
        return compile({ schema, method, url, httpPart })
      }),
    serializer: (plan, schema) => serializers.get(plan)?.get(schema),
    compileSerializer: (plan, schema, { method, url, httpStatus, contentType }) =>
      remember(serializers, plan, schema, () => {
        const compile = plan.serializerCompiler ?? engineSerializer(plan.context, plan.serialization)
        return compile({ schema, method, url, httpStatus, contentType })
      }),
  }
}

function remember(cache: Cache, plan: RoutePlan, schema: object, compile: () => unknown): AnyFunction {
  const byRoute = getOrMake(cache, plan, () => new WeakMap<object, AnyFunction>())
  return getOrMake(byRoute, schema, () => {
    const compiled = compile()
    if (!isFunction(compiled)) throw new TypeError('the schema compiler must return a function')
    return compiled
  })
}
