import type { JudgedRoute, RoutePlan } from '../../request/route-plan.ts'
import type { Judge } from '../../request/report/judge.ts'
import type { AnyFunction } from '../../guards.ts'
import type { CompilersInCharge } from '../schemas/compilers.ts'
import { planSchemas } from '../schemas/plan-schemas.ts'
import { routeSettings, type RouteRecord } from '../route-record.ts'

/**
 * Plans how a route is judged with `strict: 'report'`. Compilers of the application decide themselves, so what they
 * compile is not judged.
 *
 * @param parsers - the parsers of the context
 */
export function judgeRoute(
  judge: Judge,
  record: RouteRecord,
  compilers: CompilersInCharge,
  parsers: RoutePlan['parsers'],
  isNotFound: boolean,
): JudgedRoute {
  const { method, url, callSite, automatic } = record
  const entry = judge.add({ method, url, callSite, isImplied: automatic || isNotFound })
  for (const { reason, error } of judge.problemsOf(record.options)) judge.count(entry, reason, error.message)
  const strict: RouteRecord = { ...record, app: judge.services }
  const wanted = routeSettings(strict)
  const isTimed = routeSettings(record).handlerTimeout > 0
  const schemas = planSchemas(strict, withoutOwn(compilers), parsers)
  const { validators, serializers, messages, refusedDefaults } = schemas
  if (refusedDefaults !== null) judge.count(entry, 'refusedDefaults', refusedDefaults)
  return {
    entry,
    validators: compilers.validator === null ? validators : null,
    serializers: compilers.serializer === null ? serializers : null,
    messages: messages && {
      incoming: compilers.validator === null ? messages.incoming : null,
      outgoing: compilers.serializer === null ? messages.outgoing : null,
    },
    checksStatuses: wanted.undeclaredStatuses === 'error',
    handlerTimeout: isTimed ? 0 : wanted.handlerTimeout,
  }
}

/** Replaces compilers of the application, which must not compile a schema twice. */
function withoutOwn({ validator, serializer }: CompilersInCharge): CompilersInCharge {
  const compileNothing: AnyFunction = () => () => true
  return {
    validator: validator === null ? null : compileNothing,
    serializer: serializer === null ? null : compileNothing,
  }
}
