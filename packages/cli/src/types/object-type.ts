import { childLocation } from '@cloister/schema'
import { isSchemaObject } from '@cloister/schema/internal'
import type { SchemaLocation } from '@cloister/schema'

import type { Writing } from './schema-type.ts'
import { anyOf, docComment, print, propertyName, UNKNOWN } from './type-text.ts'
import type { TypeText } from './type-text.ts'

type TypeOf = (at: SchemaLocation, writing: Writing) => TypeText

interface Property {
  readonly name: string
  readonly type: TypeText
  readonly optional: boolean
  readonly doc: string
}

const COMBINING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if']

/**
 * Writes the type of an object. Clients may not send undeclared properties, unless the schema declares further ones;
 * responses have no others.
 */
export function objectType(at: SchemaLocation, writing: Writing, typeOf: TypeOf): TypeText {
  const schema = isSchemaObject(at.schema) ? at.schema : {}
  const properties = propertiesOf(at, writing, typeOf)
  const further = furtherTypes(at, writing, typeOf)
  if (properties.length === 0 && further.length === 0) {
    const isOpen = writing.side !== 'out' && schema['additionalProperties'] !== false
    // Other keywords describe the object.
    if (COMBINING.some((keyword) => keyword in schema)) return UNKNOWN
    return [isOpen ? '{ [name: string]: unknown }' : 'Record<string, never>']
  }
  // `undefined` is not sent, also when `exactOptionalPropertyTypes` distinguishes it from a missing property.
  const mayMiss = (type: TypeText): TypeText => (writing.side === 'in' ? anyOf([type, ['undefined']]) : type)
  const members = properties.map(
    ({ name, type, optional, doc }) =>
      `${doc}${propertyName(name)}${optional ? '?' : ''}: ${print(optional ? mayMiss(type) : type)}`,
  )
  if (further.length > 0) {
    const missing: TypeText[] = properties.some(({ optional }) => optional) ? [['undefined']] : []
    // TypeScript requires that every property matches the index signature.
    const all = anyOf([...further, ...properties.map(({ type }) => type), ...missing])
    members.push(`[name: string]: ${print(all)}`)
  }
  return [`{ ${members.join('; ')} }`]
}

function propertiesOf(at: SchemaLocation, writing: Writing, typeOf: TypeOf): Property[] {
  const schema = isSchemaObject(at.schema) ? at.schema : {}
  const { properties, required } = schema
  const declared = isSchemaObject(properties) ? properties : {}
  const needed = new Set<unknown>(Array.isArray(required) ? required : [])
  const isIn = writing.side === 'in'
  const found = Object.entries(declared).map(([name, property]): Property => {
    const hasDefault = isSchemaObject(property) && property['default'] !== undefined
    return {
      name,
      type: typeOf(childLocation(at, ['properties', name]), writing),
      optional:
        property === false || (isIn ? !needed.has(name) || hasDefault : !needed.has(name) && !hasDefault),
      doc: docComment(property, ' '),
    }
  })
  if (writing.side === 'out' || schema['additionalProperties'] === false) return found
  const undeclared = [...needed].filter((name) => typeof name === 'string' && !Object.hasOwn(declared, name))
  return [
    ...found,
    ...undeclared.map((name): Property => ({ name: String(name), type: UNKNOWN, optional: false, doc: '' })),
  ]
}

function furtherTypes(at: SchemaLocation, writing: Writing, typeOf: TypeOf): TypeText[] {
  const schema = isSchemaObject(at.schema) ? at.schema : {}
  const { additionalProperties, patternProperties } = schema
  const patterns = isSchemaObject(patternProperties) ? Object.keys(patternProperties) : []
  const types = patterns.map((pattern) => typeOf(childLocation(at, ['patternProperties', pattern]), writing))
  if (additionalProperties === undefined || additionalProperties === false) return types
  return [...types, typeOf(childLocation(at, ['additionalProperties']), writing)]
}
