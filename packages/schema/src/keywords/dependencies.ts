import { code, property } from '../codegen/code.ts'
import { isSchemaObject } from '../guards.ts'
import type { Block, Target } from '../walk/code.ts'
import type { Frame, Rule } from '../walk/frame.ts'
import type { Look } from '../walk/look.ts'
import type { Mode } from '../walk/mode.ts'
import type { SchemaNode } from '../walk/node.ts'
import type { Keyword, ObjectData, Part } from '../walk/part.ts'
import type { Value } from '../walk/value.ts'
import { ASK, FAILED, NO, PASSED, YES, type Outcome, type Verdict } from '../walk/verdict.ts'
import { emitMissing } from './required.ts'

interface Params {
  readonly property: string
  readonly missingProperty: string
  readonly depsCount: number
  readonly deps: string
}

/** The properties that must be there when another one is. Ajv overlooks the empty name, unless all errors are wanted. */
class Needs implements Rule<Params> {
  readonly keyword: string
  readonly node: SchemaNode
  readonly #property: string
  readonly #names: readonly string[]

  constructor(node: SchemaNode, keyword: string, property: string, names: readonly string[]) {
    this.node = node
    this.keyword = keyword
    this.#property = property
    this.#names = names
  }

  message({ property, depsCount, deps }: Params): string {
    return `must have ${depsCount === 1 ? 'property' : 'properties'} ${deps} when property ${property} is present`
  }

  fits(data: ObjectData): Verdict {
    if (data[this.#property] === undefined) return YES
    for (const name of this.#names) if (data[name] === undefined) return name === '' ? ASK : NO
    return YES
  }

  emit({ value }: Target, block: Block): void {
    block.writer.block(code`if (${property(value, this.#property)} !== undefined)`, () =>
      emitMissing(value, this.#names, block),
    )
  }

  apply(data: ObjectData, value: Value, mode: Mode, frame: Frame): boolean {
    if (data[this.#property] === undefined) return true
    const params = { property: this.#property, depsCount: this.#names.length, deps: this.#names.join(', ') }
    let fits = true
    for (const missingProperty of this.#names) {
      if (data[missingProperty] !== undefined || (missingProperty === '' && !mode.isThorough)) continue
      fits = false
      const { property, ...counts } = params
      frame.fail(this, { property, missingProperty, ...counts }, value, mode)
      if (!mode.isThorough) break
    }
    return fits
  }
}

/** A schema that applies to an object with a property. */
interface Dependent {
  readonly property: string
  readonly schema: SchemaNode
}

/** First what properties need, then the schemas that come with them. */
class DependenciesPart implements Part<ObjectData> {
  readonly seesEdits = true
  readonly #needs: readonly Needs[]
  readonly #dependents: readonly Dependent[]

  constructor(needs: readonly Needs[], dependents: readonly Dependent[]) {
    this.#needs = needs
    this.#dependents = dependents
  }

  get below(): readonly SchemaNode[] {
    return this.#dependents.map(({ schema }) => schema)
  }

  fits(data: ObjectData, look: Look): Verdict {
    for (const needs of this.#needs) {
      const verdict = needs.fits(data)
      if (verdict !== YES) return verdict
    }
    for (const { property, schema } of this.#dependents) {
      const verdict = data[property] === undefined ? YES : schema.look(data, look, undefined, '')
      if (verdict !== YES) return verdict
    }
    return YES
  }

  apply(data: ObjectData, value: Value, mode: Mode, frame: Frame): Outcome {
    let fits = true
    for (const needs of this.#needs) {
      if (needs.apply(data, value, mode, frame)) continue
      if (!mode.isThorough) return FAILED
      fits = false
    }
    for (const { property, schema } of this.#dependents) {
      if (data[property] === undefined || schema.apply(value, mode, frame)) continue
      if (!mode.isThorough) return FAILED
      fits = false
    }
    return fits ? PASSED : FAILED
  }

  emit(target: Target, block: Block): void {
    for (const needs of this.#needs) needs.emit(target, block)
    for (const { property: name, schema } of this.#dependents) {
      block.writer.block(code`if (${property(target.value, name)} !== undefined)`, () =>
        schema.emit(target, block),
      )
    }
  }
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
      const needs: Needs[] = []
      const dependents: Dependent[] = []
      for (const [property, needed] of Object.entries(map)) {
        if (property === '__proto__') continue
        if (Array.isArray(needed)) {
          if (needed.length > 0) needs.push(new Needs(node, reported, property, needed.map(String)))
          continue
        }
        const schema = node.at(keyword, property)
        if (schema !== undefined) dependents.push({ property, schema })
      }
      return needs.length + dependents.length === 0 ? undefined : new DependenciesPart(needs, dependents)
    },
  }
}

/** The keyword `dependencies`. */
export const dependencies: Keyword<ObjectData> = dependency('dependencies', 'dependencies')

/** The keyword `dependentRequired` of 2020-12. */
export const dependentRequired: Keyword<ObjectData> = dependency('dependentRequired', 'dependentRequired')

/** The keyword `dependentSchemas` of 2020-12. */
export const dependentSchemas: Keyword<ObjectData> = dependency('dependentSchemas', 'dependentRequired')
