import type { Ajv, ValidateFunction as AjvFunction } from 'ajv'
import type { RegExpEngine } from 'ajv/dist/types/index.js'
import type { RuntimeName } from '../../codegen/reference.ts'
import { loadAjv, loadAjvStandalone, loadFormats } from '../../dependencies.ts'
import type { SchemaEngineOptions } from '../../options.ts'
import { compileExpression } from '../../regexp/compile.ts'
import { formatRule } from '../../runtime/formats.ts'
import type { SchemaContent } from '../../store/keys.ts'
import type { PreparedSchema } from '../../store/prepared-schema.ts'
import { exactIntegersOf } from '../policy.ts'
import { AjvPool } from './pool.ts'

/*
 * The errors of values that no acceptor accepts, as code: Ajv prints the function that it compiles. The walk of the
 * engine has the same errors; for a few schemas its code and its reading of schemas are much larger.
 */

/** An expression that makes a function of Ajv, and what it calls. */
export interface PrintedErrors {
  readonly text: string
  readonly imports: readonly RuntimeName[]
}

/** What Ajv's code refers to, and the functions of the runtime that do the same. */
const REFERENCES: readonly (readonly [RegExp, RuntimeName, string])[] = [
  [/require\("ajv\/dist\/runtime\/ucs2length"\)\.default/g, 'codePointLength', 'codePointLength'],
  [/require\("ajv\/dist\/runtime\/equal"\)\.default/g, 'isConstant', 'isConstant'],
  [/CLOISTER_FORMATS(?:\.(\w+)|\["([\w-]+)"\])/g, 'formatRule', 'formatRule("$1$2")'],
  [/CLOISTER_EXPRESSION/g, 'compileExpression', 'compileExpression'],
]

/** Prints the function of a schema; `null` if it would not have the errors of the engine, or cannot be printed. */
export function printErrors(prepared: PreparedSchema, options: SchemaEngineOptions): PrintedErrors | null {
  if (!isPrintable(prepared, options)) return null
  try {
    return printed(textFor(prepared, options))
  } catch {
    return null
  }
}

/**
 * Ajv knows no limit of errors, no chosen branch of a union, and no limit of nesting. Where it notes what is evaluated,
 * it tries all branches of each `anyOf`, also of those for which the engine stops at the first match.
 */
function isPrintable(prepared: PreparedSchema, options: SchemaEngineOptions): boolean {
  const { errorLimit = 1, unionErrors, unionRemoval, ajv } = options
  if (errorLimit !== 1 || ajv?.customOptions?.code !== undefined) return false
  if (contentsOf(prepared).some(({ dynamic }) => dynamic)) return false
  if (mentions(prepared, ANY_OF) && mentions(prepared, UNEVALUATED)) return false
  const hasUnions = mentions(prepared, ANY_OF) || mentions(prepared, ONE_OF)
  return (!hasUnions || (unionErrors !== 'branch' && unionRemoval !== 'branch')) && !isRecursive(prepared)
}

const ANY_OF = /"anyOf"/
const ONE_OF = /"oneOf"/
const UNEVALUATED = /"unevaluated(?:Items|Properties)"/

function contentsOf({ content, closure }: Copies): SchemaContent[] {
  return [content, ...closure.entries.map((entry) => entry.content)]
}

function mentions(prepared: Copies, keyword: RegExp): boolean {
  return contentsOf(prepared).some(({ text = '' }) => keyword.test(text))
}

/** Whether a schema may contain itself. References into one document count as such. */
function isRecursive({ content, closure }: PreparedSchema): boolean {
  const targets = new Map(closure.entries.map(({ id, content: { refs } }) => [id, refs]))
  const leadsBack = (refs: readonly string[], path: readonly string[]): boolean =>
    refs.some((ref) => {
      const [id = ''] = ref.split('#', 1)
      const next = targets.get(id)
      return next === undefined || path.includes(id) || leadsBack(next, [...path, id])
    })
  return leadsBack(content.refs, [])
}

function textFor(prepared: PreparedSchema, options: SchemaEngineOptions): string {
  const engine = new CountingEngine()
  const copies = copiesOf(prepared)
  // Ajv adds `null` to the types of a nullable schema in place, after it has printed the schema.
  textBy(engine.own, copies, options)
  return textBy(engine.isNative ? engine.native : engine.own, copies, options)
}

/** What Ajv gets, and may change. */
type Copies = Pick<PreparedSchema, 'content' | 'root' | 'closure'>

function copiesOf({ content, root, closure }: PreparedSchema): Copies {
  const { key, text, pure, refs, names, dynamic, plain, combinations, hints } = content
  const schema: unknown = structuredClone(content.schema)
  const entries = closure.entries.map((one) => ({ ...one, snapshot: structuredClone(one.snapshot) }))
  return {
    content: { key, text, schema, pure, refs, names, dynamic, plain, combinations, hints },
    root,
    closure: { key: closure.key, entries },
  }
}

/** Notes whether `RegExp` alone runs all expressions. */
class CountingEngine {
  isNative = true
  readonly own: RegExpEngine = Object.assign(
    (source: string, flags: string) => {
      const expression = compileExpression(source, flags)
      if (!(expression instanceof RegExp)) this.isNative = false
      return expression
    },
    { code: 'CLOISTER_EXPRESSION' },
  )
  readonly native: RegExpEngine = Object.assign(
    (source: string, flags: string) => new RegExp(source, flags),
    {
      code: 'new RegExp',
    },
  )
}

function textBy(
  regExp: RegExpEngine,
  copies: Copies,
  { ajv: settings = {}, jsonSchemaDialect, integers }: SchemaEngineOptions,
): string {
  const { _ } = loadAjv()
  const { content, root, closure } = copies
  let own: Ajv | undefined
  const onCreate = (ajv: Ajv): void => {
    own = ajv
    if (!mentions(copies, UNEVALUATED)) ajv.opts.unevaluated = false
    for (const name of Object.keys(loadFormats().fullFormats)) ajv.addFormat(name, formatRule(name))
  }
  const code = { source: true, optimize: true, formats: _`CLOISTER_FORMATS`, regExp }
  const { customOptions } = settings
  const pool = new AjvPool(
    { ...settings, customOptions: { ...customOptions, code }, onCreate },
    true,
    jsonSchemaDialect,
    exactIntegersOf(integers),
  )
  const { validate }: { validate: AjvFunction } = pool.compile(content, root, closure)
  if (own === undefined) throw new TypeError('no instance of Ajv was created')
  return loadAjvStandalone().default(own, validate)
}

function printed(text: string): PrintedErrors {
  const imports: RuntimeName[] = []
  let name = ''
  let body = text.replace(
    /^"use strict";module\.exports = (\w+);module\.exports\.default = \w+;/,
    (_all, own: string) => {
      name = own
      return ''
    },
  )
  for (const [reference, runtimeName, replacement] of REFERENCES) {
    const before = body
    body = body.replace(reference, replacement)
    if (body !== before) imports.push(runtimeName)
  }
  if (name === '' || body.includes('require(')) throw new TypeError('the code of Ajv refers to other modules')
  if (/\bkey\d+ = coerced/.test(body))
    throw new TypeError('the code of Ajv coerces names, which are constants')
  return { text: `(() => {\n${body}\nreturn ${name}\n})()`, imports }
}
