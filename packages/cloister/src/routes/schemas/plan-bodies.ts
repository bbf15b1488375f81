import { MULTIPART } from '../../body/media-type.ts'
import type { BodyParser } from '../../body/parser-table.ts'
import type { PartValidator } from '../../request/route-plan.ts'
import type { RouteRecord } from '../route-record.ts'
import { planForm, planUrlencoded } from './plan-forms.ts'
import { planLines } from './plan-lines.ts'

const URLENCODED = 'application/x-www-form-urlencoded'
/** The media types of bodies with an item in each line. */
const LINE_TYPES: readonly string[] = ['application/x-ndjson', 'application/jsonl']

/** The parser of a media type, if the framework reads its bodies by their schema, and the validator of its result. */
export interface BodyPlan {
  readonly parser: BodyParser | null
  readonly validator: PartValidator
}

/**
 * Plans the bodies of a media type: forms, and lines of JSON.
 *
 * @param schema - the schema of the media type
 * @param validator - its validator
 * @param isParsed - whether the application has a parser for the type
 */
export function planBody(
  record: RouteRecord,
  type: string,
  schema: unknown,
  validator: PartValidator,
  isParsed: boolean,
): BodyPlan {
  if (type === MULTIPART) return planForm(record, schema, validator)
  if (type === URLENCODED) return planUrlencoded(validator)
  // The schema describes the whole result of the application's parser.
  if (isParsed || !LINE_TYPES.includes(type)) return { parser: null, validator }
  return planLines(record, validator)
}
