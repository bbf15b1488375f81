import { createJsonParser } from '../../body/default-parsers.ts'
import { OWN_PARSER } from '../../body/parser-table.ts'
import { BodyItems } from '../../request/items/body-items.ts'
import { RequestImpl } from '../../request/request.ts'
import type { PartValidator } from '../../request/route-plan.ts'
import { routeSettings, type RouteRecord } from '../route-record.ts'
import { withErrorsOf } from './deep-objects.ts'
import type { BodyPlan } from './plan-bodies.ts'

/** Plans bodies of which each line is an item of JSON. */
export function planLines(record: RouteRecord, validator: PartValidator): BodyPlan {
  const { app } = record.context
  const { bodyLimit: limit, itemsLimit } = routeSettings(record)
  const ofItems = validator.uncoerced ?? validator
  const parse = createJsonParser({ ...app.options, ...app.exact })
  const parseItems = (request: unknown): BodyItems => {
    if (!(request instanceof RequestImpl)) throw new TypeError('the request is not one of the framework')
    return new BodyItems({ request, validator: ofItems, parse, limit })
  }
  const parser = { ...OWN_PARSER, parse: parseItems, parseAs: null, bodyLimit: itemsLimit }
  return { parser, validator: admitItems(ofItems) }
}

/** Items are validated when they are read. A hook may have replaced them with another value. */
function admitItems(validator: PartValidator): PartValidator {
  const { validate } = validator
  const admit = withErrorsOf(validate, (data, holder) => data instanceof BodyItems || validate(data, holder))
  return { ...validator, validate: admit }
}
