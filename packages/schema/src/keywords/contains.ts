import { code } from '../codegen/code.ts'
import { containsLimits, type ContainsLimits } from '../document/arrays.ts'
import { emitTrial } from '../walk/code.ts'
import { PASSED, SILENT } from '../walk/walk.ts'
import { ASK, NO, YES } from '../walk/look.ts'
import type { SchemaNode } from '../walk/node.ts'
import { keyword, type Keyword, type ListData } from '../walk/part.ts'

interface Params {
  readonly minContains: number
  readonly maxContains?: number
}

/** What the keyword demands of the items. */
interface Contained extends ContainsLimits {
  /** Undefined if the length of the list decides. */
  readonly item: SchemaNode | undefined
  /** The number of matching items at which the search stops. */
  readonly enough: number
  /** One item is enough, and Ajv keeps the verdict. */
  readonly isPlain: boolean
}

function isRight(count: number, { minimum, maximum = Infinity }: ContainsLimits): boolean {
  return count >= minimum && count <= maximum
}

/**
 * The keyword `contains`, with `minContains` and `maxContains`. For an empty list whose items Ajv does not count, Ajv
 * uses its verdict on the previous list.
 */
export const contains: Keyword<ListData> = keyword<ListData, Contained, Params>({
  names: ['contains', 'minContains', 'maxContains'],
  keepsVerdict: true,
  seesEdits: () => true,
  read(node) {
    const { minimum, maximum } = containsLimits(node.schema, node.location.document.dialect)
    if (node.schema['contains'] === undefined) return undefined
    const enough = maximum === undefined ? minimum : maximum + 1
    const isPlain = minimum === 1 && maximum === undefined
    // If the limits exclude each other, no number is valid, and no item is checked.
    const item = maximum !== undefined && maximum < minimum ? undefined : node.at('contains')
    return { item, minimum, maximum, enough, isPlain }
  },
  below: ({ item }) => [item],
  message: ({ minContains, maxContains }) =>
    maxContains === undefined
      ? `must contain at least ${minContains} valid item(s)`
      : `must contain at least ${minContains} and no more than ${maxContains} valid item(s)`,
  fits({ read }, list, look) {
    const { item, enough, isPlain } = read
    if (item === undefined) return isRight(list.length, read) ? YES : NO
    if (list.length === 0 && isPlain) return ASK
    let count = 0
    for (let index = 0; index < list.length && count < enough; index++) {
      const verdict = item.plan.lookAsBranch(list[index], look)
      if (verdict === ASK) return ASK
      count += verdict
    }
    return isRight(count, read) ? YES : NO
  },
  apply(part, { length }, value, mode, frame) {
    const { item, minimum, maximum, enough, isPlain } = part.read
    const { settings, removal } = frame.walk
    const start = frame.errors.length
    // Only one error is reported if it ends the function, so the errors of the items are not created.
    const trial = mode.endsAtOnce ? SILENT : mode.trial
    const last = start + mostErrors(settings.errorLimit)
    const find = (tries: (branch: () => boolean) => boolean): boolean => {
      if (item === undefined) return isRight(length, part.read)
      frame.errors.length = start
      let count = 0
      for (let index = 0; index < length && count < enough; index++) {
        const itemMode = frame.errors.length > last ? SILENT : trial
        if (tries(() => item.apply(value.entry(index), itemMode, frame))) count += 1
      }
      return isPlain && length === 0 ? frame.lastVerdict(part) : isRight(count, part.read)
    }
    const verdict = settings.removesByBranch ? removal.attempt(find) : find((branch) => branch())
    frame.keepVerdict(part, verdict)
    if (verdict) {
      frame.errors.length = start
      return PASSED
    }
    const params = { minContains: minimum, ...(maximum !== undefined && { maxContains: maximum }) }
    return frame.fail(part, params, value, mode)
  },
  emit({ read }, { value }, block) {
    const { writer, reject, defer } = block
    const { item, minimum, maximum, enough, isPlain } = read
    const [count, index, entry] = [writer.unique('count'), writer.unique('i'), writer.unique('v')]
    if (isPlain) writer.line(code`if (${value}.length === 0) ${defer}`)
    writer.line(code`var ${count} = ${item === undefined ? code`${value}.length` : 0}`)
    if (item !== undefined) {
      writer.block(
        code`for (var ${index} = 0; ${index} < ${value}.length && ${count} < ${enough}; ${index}++)`,
        () => {
          writer.line(code`var ${entry} = ${value}[${index}]`)
          emitTrial(item, { value: entry }, block, code`${count}++`)
        },
      )
    }
    writer.line(code`if (${count} < ${minimum}) ${reject}`)
    if (maximum !== undefined) writer.line(code`if (${count} > ${maximum}) ${reject}`)
  },
})

/** The number of errors of items to create if a limited number is reported: narrowed unions may remove some. */
function mostErrors(errorLimit: number = 1): number {
  return errorLimit === 1 ? Infinity : errorLimit + 100
}
