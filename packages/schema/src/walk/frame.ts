import type { ErrorObject } from 'ajv'
import type { Mode } from './mode.ts'
import type { SchemaNode } from './node.ts'
import type { Value } from './value.ts'
import { FAILED } from './verdict.ts'
import type { Walk } from './walk.ts'

/** Errors in order; a list within the list has those of a referenced schema. */
export type ErrorList = (ErrorObject | ErrorList)[]

/** A keyword of a schema, as errors name it. */
export interface Rule<Params extends object> {
  readonly keyword: string
  readonly node: SchemaNode
  /** The sentence of an error. */
  message(params: Params): string
}

/** One run of what Ajv would compile into one function: a root schema, or a referenced one. */
export class Frame {
  readonly walk: Walk
  readonly errors: ErrorList = []
  /** Set by an error that ends the function at once. */
  hasEnded: boolean = false
  #verdicts: Map<object, boolean> | undefined = undefined

  constructor(walk: Walk) {
    this.walk = walk
  }

  /** Reports an error. Where it ends the function it is the only one. */
  fail<Params extends object>(rule: Rule<Params>, params: Params, value: Value, mode: Mode): typeof FAILED {
    if (mode.endsAtOnce && !mode.isSilent) this.errors.length = 0
    return this.failBehind(rule, params, value, mode)
  }

  /** Reports an error behind those that belong to it. */
  failBehind<Params extends object>(
    rule: Rule<Params>,
    params: Params,
    value: Value,
    mode: Mode,
  ): typeof FAILED {
    if (mode.isSilent || !this.walk.admits(mode)) return FAILED
    if (mode.endsAtOnce) this.hasEnded = true
    this.errors.push(this.#error(rule, params, value, mode))
    return FAILED
  }

  /**
   * The last verdict of a keyword in this run. Ajv keeps it in a variable that is not reset: where there is nothing to
   * look at, the verdict of the time before counts.
   */
  lastVerdict(keyword: object): boolean {
    return this.#verdicts?.get(keyword) ?? false
  }

  /** Keeps the last verdict of a keyword. */
  keepVerdict(keyword: object, verdict: boolean): void {
    this.#verdicts ??= new Map()
    this.#verdicts.set(keyword, verdict)
  }

  #error<Params extends object>(
    rule: Rule<Params>,
    params: Params,
    value: Value,
    { propertyName }: Mode,
  ): ErrorObject {
    const { keyword, node } = rule
    const { messages, verbose } = this.walk.settings
    const error: ErrorObject = {
      instancePath: value.pointer,
      schemaPath: `${node.schemaPath}/${keyword}`,
      keyword,
      params,
    }
    if (messages) error.message = rule.message(params)
    if (verbose) {
      const parentSchema = node.location.schema
      Object.assign(error, { schema: node.shown(keyword), parentSchema, data: value.data })
    }
    if (propertyName !== undefined) error.propertyName = propertyName
    return error
  }
}

/** How many errors of pairs that were listed before are listed once more. */
const MAX_REPEATED = 1000

/** A list that is being copied, and how far. */
interface Position {
  readonly list: ErrorList
  readonly isRepeated: boolean
  next: number
}

/** The errors of a list and of the lists in it. Needs no recursion: references may follow each other in thousands. */
export function flatten(errors: ErrorList): ErrorObject[] {
  const flat: ErrorObject[] = []
  const listed = new Set<ErrorList>([errors])
  const open: Position[] = [{ list: errors, isRepeated: false, next: 0 }]
  let repeated = 0
  for (let position = open.at(-1); position !== undefined; position = open.at(-1)) {
    const entry = position.list[position.next]
    position.next += 1
    if (entry === undefined || (position.isRepeated && repeated >= MAX_REPEATED)) open.pop()
    else if (!Array.isArray(entry)) {
      flat.push(position.isRepeated ? { ...entry } : entry)
      if (position.isRepeated) repeated += 1
    } else {
      const isRepeated = position.isRepeated || listed.has(entry)
      listed.add(entry)
      open.push({ list: entry, isRepeated, next: 0 })
    }
  }
  return flat
}
