import { code, type Code, property } from '../codegen/code.ts'
import { isSchemaObject } from '../guards.ts'
import type { Block } from '../walk/code.ts'
import type { SchemaNode } from '../walk/node.ts'
import { applyAll, keyword, type Keyword, type ObjectData } from '../walk/part.ts'
import { FAILED, type Mode, type Outcome } from '../walk/walk.ts'
import { ASK, NO, YES, type Verdict } from '../walk/look.ts'

/** The keyword `required`. */
export const required: Keyword<ObjectData> = keyword({
  names: ['required'],
  read(node) {
    const asked = node.schema['required']
    if (!Array.isArray(asked)) return undefined
    const names = asked.map(String)
    const declared = new Set(node.declared.names)
    return {
      names,
      /** The names that `properties` does not check. */
      others: names.filter((name) => !declared.has(name)),
      seesEmpty: names.length >= node.context.settings.loopRequired,
    }
  },
  isFused: ({ others }) => others.length === 0,
  onlyRefuses: ({ names }) => !names.includes(''),
  message: ({ missingProperty }: { readonly missingProperty: string }) =>
    `must have required property '${missingProperty}'`,
  fits: ({ read }, data) => lookForAll(read.others, data),
  apply: (part, data, value, mode, frame) =>
    findAll(part.read.names, data, mode, part.read.seesEmpty, (missingProperty) =>
      frame.fail(part, { missingProperty }, value, mode),
    ),
  emit: ({ read }, { value }, block) => emitMissing(value, read.others, block),
})

/** Reports missing properties. In a short list Ajv ignores the empty name, unless all errors are wanted. */
function findAll(
  names: readonly string[],
  data: ObjectData,
  mode: Mode,
  seesEmpty: boolean,
  report: (missing: string) => Outcome,
): Outcome {
  return applyAll(names, mode, (name) => {
    const isOverlooked = name === '' && !mode.isThorough && !seesEmpty
    return data[name] !== undefined || isOverlooked || report(name) !== FAILED
  })
}

/** Checks that all properties are present. Asks if the empty name is missing, which Ajv may ignore. */
export function lookForAll(names: readonly string[], data: ObjectData): Verdict {
  for (const name of names) if (data[name] === undefined) return name === '' ? ASK : NO
  return YES
}

/** Writes the test that all properties are present. Ajv may ignore the empty name. */
export function emitMissing(object: Code, names: readonly string[], { writer, reject, defer }: Block): void {
  for (const name of names)
    writer.line(code`if (${property(object, name)} === undefined) ${name === '' ? defer : reject}`)
}

/** What the presence of a property requires: other properties, or a schema. */
interface Dependency {
  readonly property: string
  readonly needs: readonly string[] | SchemaNode
}

interface DependencyParams {
  readonly property: string
  readonly missingProperty: string
  readonly depsCount: number
  readonly deps: string
}

function isNames(needs: Dependency['needs']): needs is readonly string[] {
  return Array.isArray(needs)
}

/**
 * The keyword `dependencies`, or one of the two that replace it in 2020-12. Checks required properties first, then
 * schemas. Ajv ignores the empty name, unless all errors are wanted.
 * @param reported - the keyword that errors name
 */
function dependency(name: string, reported: string = name): Keyword<ObjectData> {
  return keyword<ObjectData, readonly Dependency[], DependencyParams>({
    names: [name],
    reported,
    seesEdits: () => true,
    read(node) {
      const map = node.schema[name]
      if (!isSchemaObject(map)) return undefined
      const entries = Object.entries(map).filter(([property]) => property !== '__proto__')
      const names = entries.flatMap(([property, needed]): Dependency[] =>
        Array.isArray(needed) ? [{ property, needs: needed.map(String) }] : [],
      )
      const schemas = entries.flatMap(([property, needed]): Dependency[] => {
        const needs = Array.isArray(needed) ? undefined : node.at(name, property)
        return needs === undefined ? [] : [{ property, needs }]
      })
      return [...names, ...schemas]
    },
    below: (dependencies) => dependencies.flatMap(({ needs }) => (isNames(needs) ? [] : needs)),
    message: ({ property, depsCount, deps }) =>
      `must have ${depsCount === 1 ? 'property' : 'properties'} ${deps} when property ${property} is present`,
    fits({ read }, data, look) {
      for (const { property, needs } of read) {
        if (data[property] === undefined) continue
        const verdict = isNames(needs) ? lookForAll(needs, data) : needs.plan.look(data, look, undefined, '')
        if (verdict !== YES) return verdict
      }
      return YES
    },
    apply: (part, data, value, mode, frame) =>
      applyAll(part.read, mode, ({ property, needs }) => {
        if (data[property] === undefined) return true
        if (!isNames(needs)) return needs.apply(value, mode, frame)
        const counts = { depsCount: needs.length, deps: needs.join(', ') }
        const report = (missingProperty: string): Outcome =>
          frame.fail(part, { property, missingProperty, ...counts }, value, mode)
        return findAll(needs, data, mode, false, report) !== FAILED
      }),
    emit({ read }, target, block) {
      for (const { property: name, needs } of read) {
        block.writer.block(code`if (${property(target.value, name)} !== undefined)`, () => {
          if (isNames(needs)) emitMissing(target.value, needs, block)
          else needs.emit(target, block)
        })
      }
    },
  })
}

/** The keyword `dependencies`. */
export const dependencies: Keyword<ObjectData> = dependency('dependencies')

/** The keyword `dependentRequired` of 2020-12. */
export const dependentRequired: Keyword<ObjectData> = dependency('dependentRequired')

/** The keyword `dependentSchemas` of 2020-12. */
export const dependentSchemas: Keyword<ObjectData> = dependency('dependentSchemas', 'dependentRequired')
