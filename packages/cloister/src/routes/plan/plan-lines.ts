import { createJsonParser } from '../../body/default-parsers.ts'
import { parseMediaType } from '../../body/media-type.ts'
import { hasParser, type ParserLookup } from '../../body/parser-table.ts'
import type { AppOptions } from '../../options/checked-options.generated.ts'
import type { RouteSettings } from '../../options/route-options.ts'
import { BodyItems, createLineParser, LINE_TYPES } from '../../request/items/body-items.ts'
import type { PartValidator, PlanValidators } from '../../request/route-plan.ts'
import { withErrorsOf } from '../schemas/deep-objects.ts'

interface BodyPlan {
  readonly parsers: ParserLookup
  readonly validators: PlanValidators | null
}

/**
 * Adds parsers for bodies of lines if the body schema of a route declares their media types. An application parser for
 * the type takes precedence; then the schema describes the parser's whole result.
 */
export function planLines(
  parsers: ParserLookup,
  validators: PlanValidators | null,
  settings: RouteSettings,
  { options }: { readonly options: AppOptions },
): BodyPlan {
  const content = validators?.inOrder.find((entry) => entry.byMediaType !== null)?.byMediaType ?? null
  const types = LINE_TYPES.filter((type) => content?.has(type) === true && !hasParser(parsers, type))
  if (validators === null || content === null || types.length === 0) return { parsers, validators }
  const byType = new Map(parsers.byMediaType)
  const checked = new Map(content)
  const parse = createJsonParser(options.onProtoPoisoning, options.onConstructorPoisoning)
  for (const type of types) {
    const declared = content.get(type)
    if (declared === undefined) continue
    const validator = declared.uncoerced ?? declared
    const parser = createLineParser(validator, parse, settings.bodyLimit, settings.itemsLimit)
    byType.set(type, [{ type: parseMediaType(type), parser }])
    checked.set(type, admitItems(validator))
  }
  const inOrder = validators.inOrder.map((entry) =>
    entry.byMediaType === null ? entry : { ...entry, byMediaType: checked },
  )
  return { parsers: { ...parsers, byMediaType: byType }, validators: { inOrder } }
}

/** Items are validated when they are read. A hook may have replaced them with another value. */
function admitItems(validator: PartValidator): PartValidator {
  const { validate } = validator
  const admit = withErrorsOf(validate, (data, holder) => data instanceof BodyItems || validate(data, holder))
  return { ...validator, validate: admit }
}
