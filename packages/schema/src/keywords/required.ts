import { code, type Code, join, property } from '../codegen/code.ts'
import { isSchemaObject } from '../guards.ts'
import type { Block, Target } from '../walk/code.ts'
import type { Look } from '../walk/look.ts'
import type { SchemaNode } from '../walk/node.ts'
import { applyAll, type Keyword, type ObjectData, type Part } from '../walk/part.ts'
import { ASK, FAILED, NO, PASSED, YES, type Outcome, type Verdict } from '../walk/verdict.ts'
import type { Value } from '../walk/value.ts'
import type { Frame, Mode, Rule } from '../walk/walk.ts'

interface Params {
  readonly missingProperty: string
}

/** The keyword `required`. In a short list Ajv overlooks the empty name, unless all errors are wanted. */
class RequiredPart implements Part<ObjectData>, Rule<Params> {
  readonly keyword = 'required'
  readonly node: SchemaNode
  /** `properties` looks for all names. */
  readonly isFused: boolean
  readonly #names: readonly string[]
  /** The names that `properties` does not look for. */
  readonly #others: readonly string[]
  readonly #seesEmpty: boolean

  constructor(node: SchemaNode, names: readonly string[]) {
    this.node = node
    this.#names = names
    this.#seesEmpty = names.length >= node.context.settings.loopRequired
    this.#others = names.filter((name) => !node.declared.has(name))
    this.isFused = this.#others.length === 0
  }

  get onlyRefuses(): boolean {
    return !this.#names.includes('')
  }

  message({ missingProperty }: Params): string {
    return `must have required property '${missingProperty}'`
  }

  fits(data: ObjectData): Verdict {
    return lookForAll(this.#others, data)
  }

  apply(data: ObjectData, value: Value, mode: Mode, frame: Frame): Outcome {
    let outcome: Outcome = PASSED
    for (const missingProperty of this.#names) {
      const isOverlooked = missingProperty === '' && !mode.isThorough && !this.#seesEmpty
      if (data[missingProperty] !== undefined || isOverlooked) continue
      outcome = frame.fail(this, { missingProperty }, value, mode)
      if (!mode.isThorough) break
    }
    return outcome
  }

  emit({ value }: Target, block: Block): void {
    emitMissing(value, this.#others, block)
  }
}

/** Looks whether properties are there. Ajv may overlook the empty name. */
export function lookForAll(names: readonly string[], data: ObjectData): Verdict {
  for (const name of names) if (data[name] === undefined) return name === '' ? ASK : NO
  return YES
}

/** Writes the test that properties are there. Ajv may overlook the empty name. */
export function emitMissing(object: Code, names: readonly string[], { writer, reject, defer }: Block): void {
  if (names.includes('')) writer.line(code`if (${property(object, '')} === undefined) ${defer}`)
  const tests = names.flatMap((name) => (name === '' ? [] : code`${property(object, name)} === undefined`))
  if (tests.length > 0) writer.line(code`if (${join(tests, code` || `)}) ${reject}`)
}

/** The keyword `required`. */
export const required: Keyword<ObjectData> = {
  names: ['required'],
  read(node) {
    const names = node.schema['required']
    return Array.isArray(names) && names.length > 0 ? new RequiredPart(node, names.map(String)) : undefined
  },
}

interface DependencyParams {
  readonly property: string
  readonly missingProperty: string
  readonly depsCount: number
  readonly deps: string
}

/** What must hold where a property is there: other properties, or a schema. */
interface Dependency {
  readonly property: string
  readonly needs: readonly string[] | SchemaNode
}

/** First what properties need, then the schemas that come with them. Ajv overlooks the empty name, unless all errors are wanted. */
class DependenciesPart implements Part<ObjectData>, Rule<DependencyParams> {
  readonly seesEdits = true
  readonly keyword: string
  readonly node: SchemaNode
  readonly #dependencies: readonly Dependency[]

  constructor(node: SchemaNode, keyword: string, dependencies: readonly Dependency[]) {
    this.node = node
    this.keyword = keyword
    this.#dependencies = dependencies
  }

  get below(): readonly SchemaNode[] {
    return this.#dependencies.flatMap(({ needs }) => (isNames(needs) ? [] : needs))
  }

  message({ property, depsCount, deps }: DependencyParams): string {
    return `must have ${depsCount === 1 ? 'property' : 'properties'} ${deps} when property ${property} is present`
  }

  fits(data: ObjectData, look: Look): Verdict {
    for (const { property, needs } of this.#dependencies) {
      if (data[property] === undefined) continue
      const verdict = isNames(needs) ? lookForAll(needs, data) : needs.plan.look(data, look, undefined, '')
      if (verdict !== YES) return verdict
    }
    return YES
  }

  apply(data: ObjectData, value: Value, mode: Mode, frame: Frame): Outcome {
    return applyAll(this.#dependencies, mode, ({ property, needs }) => {
      if (data[property] === undefined) return true
      return isNames(needs)
        ? this.#findAll(property, needs, data, value, mode, frame)
        : needs.apply(value, mode, frame)
    })
  }

  #findAll(
    property: string,
    names: readonly string[],
    data: ObjectData,
    value: Value,
    mode: Mode,
    frame: Frame,
  ): boolean {
    const counts = { depsCount: names.length, deps: names.join(', ') }
    const finds = (missingProperty: string): boolean => {
      if (data[missingProperty] !== undefined || (missingProperty === '' && !mode.isThorough)) return true
      frame.fail(this, { property, missingProperty, ...counts }, value, mode)
      return false
    }
    return applyAll(names, mode, finds) !== FAILED
  }

  emit(target: Target, block: Block): void {
    for (const { property: name, needs } of this.#dependencies) {
      block.writer.block(code`if (${property(target.value, name)} !== undefined)`, () => {
        if (isNames(needs)) emitMissing(target.value, needs, block)
        else needs.emit(target, block)
      })
    }
  }
}

function isNames(needs: Dependency['needs']): needs is readonly string[] {
  return Array.isArray(needs)
}

/**
 * The keyword `dependencies`, or one of the two that 2020-12 has in its place.
 * @param reported - the keyword that errors name
 */
function dependency(keyword: string, reported: string): Keyword<ObjectData> {
  return {
    names: [keyword],
    read(node) {
      const map = node.schema[keyword]
      if (!isSchemaObject(map)) return undefined
      const entries = Object.entries(map).filter(([property]) => property !== '__proto__')
      const names = entries.flatMap(([property, needed]): Dependency[] =>
        Array.isArray(needed) && needed.length > 0 ? [{ property, needs: needed.map(String) }] : [],
      )
      const schemas = entries.flatMap(([property, needed]): Dependency[] => {
        const needs = Array.isArray(needed) ? undefined : node.at(keyword, property)
        return needs === undefined ? [] : [{ property, needs }]
      })
      const all = [...names, ...schemas]
      return all.length === 0 ? undefined : new DependenciesPart(node, reported, all)
    },
  }
}

/** The keyword `dependencies`. */
export const dependencies: Keyword<ObjectData> = dependency('dependencies', 'dependencies')

/** The keyword `dependentRequired` of 2020-12. */
export const dependentRequired: Keyword<ObjectData> = dependency('dependentRequired', 'dependentRequired')

/** The keyword `dependentSchemas` of 2020-12. */
export const dependentSchemas: Keyword<ObjectData> = dependency('dependentSchemas', 'dependentRequired')
