/**
 * Code that tells whether a value matches a schema, for unions and conditions. It looks at the value as JSON
 * will show it: own properties, `toJSON` applied, dates as strings, properties that are `undefined` absent.
 */
import { code, join, name, type Code } from '../../codegen/code.ts'
import type { Reference, RuntimeName } from '../../codegen/reference.ts'
import type { CodeWriter } from '../../codegen/writer.ts'
import { isSchemaObject } from '../../guards.ts'
import { childPlace, type SchemaPlace } from '../../document/location.ts'
import { SerializerBuildError } from '../build-error.ts'
import { arrayTests } from './array.ts'
import { numberTests, stringTests, typeTests } from './scalar.ts'
import { objectTests } from './object.ts'
import { listOf, type RefScope, type SchemaObject } from '../read/source.ts'

/** What the keyword groups need from the emitter. */
export interface PredicateSite {
  readonly schema: SchemaObject
  readonly place: SchemaPlace
  readonly value: Code
  /** The name under which generated code sees a run-time value. */
  readonly bind: (reference: Reference, hint: string) => Code
  /** The name of a function of the runtime. */
  readonly use: (name: RuntimeName) => Code
  /** A call of the predicate of a sub-schema. */
  readonly test: (place: SchemaPlace, value: Code) => Code
  /** A variable of the predicate. */
  readonly local: () => Code
  /** The predicate of a sub-schema, as a function. */
  readonly nameOf: (place: SchemaPlace) => Code
}

/** Conditions that must all hold; each is an expression over `value`. */
export type Tests = readonly Code[]

/** Writes predicates into a unit; one for each schema. */
export class PredicateEmitter {
  readonly #writer: CodeWriter
  readonly #scope: RefScope
  readonly #known = new Map<unknown, Code>()

  constructor(writer: CodeWriter, scope: RefScope) {
    this.#writer = writer
    this.#scope = scope
  }

  /** The name of the predicate of a schema. */
  nameOf(place: SchemaPlace): Code {
    const known = this.#known.get(place.schema)
    if (known !== undefined) return known
    const own = this.#writer.unique('is')
    this.#known.set(place.schema, own)
    const locals: Code[] = []
    const tests = this.#tests(place, locals)
    const body = this.#writer.nested()
    body.block(code`function ${own}(raw)`, () => {
      if (tests.length > 0) {
        const unwrapped = code`${this.#writer.use('unwrap')}(raw)`
        body.line(
          code`const v = typeof raw === 'object' && raw !== null && raw.toJSON !== undefined ? ${unwrapped} : raw`,
        )
      }
      if (locals.length > 0) body.line(code`let ${join(locals, code`, `)}`)
      body.line(code`return ${tests.length === 0 ? code`true` : join(tests, code` && `)}`)
    })
    this.#writer.line(body.toCode())
    return own
  }

  /** A list of predicates, as one value of the unit. */
  list(names: readonly Code[]): Code {
    const own = this.#writer.unique('tests')
    this.#writer.line(code`const ${own} = [${join(names, code`, `)}]`)
    return own
  }

  #tests(place: SchemaPlace, locals: Code[]): Tests {
    const { schema } = place
    if (schema === false) return [code`false`]
    if (!isSchemaObject(schema)) return []
    const value = name('v')
    const ref = schema['$ref']
    if (typeof ref === 'string') return [this.#refTest(place, ref, schema, value)]
    const site: PredicateSite = {
      schema,
      place,
      value,
      bind: (reference, hint) => this.#writer.bind(reference, hint),
      use: (imported) => this.#writer.use(imported),
      test: (inner, of) => code`${this.nameOf(inner)}(${of})`,
      local: () => {
        const own = this.#writer.unique('p')
        locals.push(own)
        return own
      },
      nameOf: (inner) => this.nameOf(inner),
    }
    const tests = [
      ...typeTests(site),
      ...numberTests(site),
      ...stringTests(site),
      ...arrayTests(site),
      ...objectTests(site),
      ...combinationTests(site),
    ]
    return schema['nullable'] === true && tests.length > 0
      ? [code`(${value} === null || (${join(tests, code` && `)}))`]
      : tests
  }

  #refTest(place: SchemaPlace, ref: string, schema: SchemaObject, value: Code): Code {
    const target = this.#scope.resolve(place, ref)
    if (target === undefined) {
      throw new SerializerBuildError(`cannot find the reference ${JSON.stringify(ref)}`, place.pointer)
    }
    const test = code`${this.nameOf(target)}(${value})`
    return schema['nullable'] === true ? code`(${value} === null || ${test})` : test
  }
}

function combinationTests(site: PredicateSite): Tests {
  const { schema, place, value, test } = site
  const tests: Code[] = []
  const calls = (keyword: string): Code[] =>
    listOf(schema[keyword]).map((_, index) => test(childPlace(place, [keyword, index]), value))
  tests.push(...calls('allOf'))
  const anyOf = calls('anyOf')
  if (anyOf.length > 0) tests.push(code`(${join(anyOf, code` || `)})`)
  const oneOf = calls('oneOf')
  if (oneOf.length > 0) tests.push(code`0 + ${join(oneOf, code` + `)} === 1`)
  if (schema['not'] !== undefined) tests.push(code`!${test(childPlace(place, ['not']), value)}`)
  if (schema['if'] !== undefined) {
    const branch = (keyword: string): Code =>
      schema[keyword] === undefined ? code`true` : test(childPlace(place, [keyword]), value)
    tests.push(code`(${test(childPlace(place, ['if']), value)} ? ${branch('then')} : ${branch('else')})`)
  }
  return tests
}
