import { tupleOf } from '../document/tuple.ts'
import { isSchemaObject } from '../guards.ts'
import { cloneSchema } from '../store/clone.ts'
import type { SchemaNode } from './node.ts'
import type { Container } from './value.ts'

/* Ajv fills in defaults before it looks at any keyword of an object or array. A name that objects inherit is not missing. */

type Fill = (data: Container) => void

/** Fills in the properties that are missing. */
export function propertyDefaults(node: SchemaNode): Fill | undefined {
  const { properties } = node.schema
  return isSchemaObject(properties) ? fillOf(node, Object.entries(properties)) : undefined
}

/** Fills in the items that a tuple is short of. */
export function itemDefaults(node: SchemaNode): Fill | undefined {
  const { schemas } = tupleOf(node.schema, node.location.document.dialect)
  return fillOf(node, schemas.entries())
}

function fillOf(node: SchemaNode, schemas: Iterable<readonly [string | number, unknown]>): Fill | undefined {
  if (!node.unit.settings.defaults) return undefined
  const defaults: (readonly [string | number, unknown])[] = []
  for (const [key, schema] of schemas) {
    if (isSchemaObject(schema) && schema['default'] !== undefined) defaults.push([key, schema['default']])
  }
  if (defaults.length === 0) return undefined
  return (data) => {
    for (const [key, value] of defaults) {
      if (data[key] === undefined) data[key] = cloneSchema(value)
    }
  }
}
