/** Packages that come without types. */
declare module 'ajv-merge-patch' {
  import type { Ajv } from 'ajv'

  const addMergePatch: (ajv: Ajv) => Ajv
  export default addMergePatch
}
