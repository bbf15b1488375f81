import { contains } from '../../keywords/contains.ts'
import { propertyNames } from '../../keywords/property-names.ts'
import { notedBranches, UNEVALUATED_ITEMS, UNEVALUATED_PROPERTIES } from '../../keywords/unevaluated.ts'
import { uniqueItems } from '../../keywords/unique-items.ts'
import type { SchemaNode } from '../../walk/node.ts'
import type { Keyword, ListData, ObjectData } from '../../walk/part.ts'

type Read<Data> = ReturnType<Keyword<Data>['read']>

export function readContains(node: SchemaNode): Read<ListData> {
  return contains.read(node)
}

export function readUniqueItems(node: SchemaNode): Read<ListData> {
  return uniqueItems.read(node)
}

export function readPropertyNames(node: SchemaNode): Read<ObjectData> {
  return propertyNames.read(node)
}

export function readNotedBranches(node: SchemaNode): Read<unknown> {
  return notedBranches.read(node)
}

export function readUnevaluatedItems(index: number, node: SchemaNode): Read<ListData> {
  return UNEVALUATED_ITEMS[index]?.read(node)
}

export function readUnevaluatedProperties(index: number, node: SchemaNode): Read<ObjectData> {
  return UNEVALUATED_PROPERTIES[index]?.read(node)
}
