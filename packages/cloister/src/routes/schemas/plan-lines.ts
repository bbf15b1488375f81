import { createJsonParser } from '../../body/default-parsers.ts'
import { BodyItems, createLineParser } from '../../request/items/body-items.ts'
import type { PartValidator } from '../../request/route-plan.ts'
import { routeSettings, type RouteRecord } from '../route-record.ts'
import { withErrorsOf } from './deep-objects.ts'
import type { BodyPlan } from './plan-bodies.ts'

/** Plans bodies of which each line is an item of JSON. */
export function planLines(record: RouteRecord, validator: PartValidator): BodyPlan {
  const { app } = record.context
  const { bodyLimit, itemsLimit } = routeSettings(record)
  const ofItems = validator.uncoerced ?? validator
  const parseJson = createJsonParser({ ...app.options, ...app.exact })
  const parser = createLineParser(ofItems, parseJson, bodyLimit, itemsLimit)
  return { parser, validator: admitItems(ofItems) }
}

/** Items are validated when they are read. A hook may have replaced them with another value. */
function admitItems(validator: PartValidator): PartValidator {
  const { validate } = validator
  const admit = withErrorsOf(validate, (data, holder) => data instanceof BodyItems || validate(data, holder))
  return { ...validator, validate: admit }
}
