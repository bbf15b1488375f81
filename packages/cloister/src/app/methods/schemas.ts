import { addSharedSchema, sharedSchema, sharedSchemas } from '../../context/shared-schemas.ts'
import { kContext } from '../../symbols.ts'
import { registration } from './members.ts'
import type { SchemaMembers } from '../../types/members/schemas.ts'
import type { Members } from './members.ts'

/** Shared schemas. */
export const schemaMembers: Members<keyof SchemaMembers> = {
  addSchema: registration(
    'addSchema',
    { action: 'add a shared schema' },
    (instance, callSite, schema: unknown) => addSharedSchema(instance[kContext], schema, callSite),
  ),

  getSchema(id: string): unknown {
    return sharedSchema(this[kContext], id)
  },

  getSchemas(): unknown {
    return sharedSchemas(this[kContext])
  },
}
