/** What the schema of a form says of a property that is a file, or a list of files. */
export interface FileRule {
  readonly isList: boolean
  readonly minLength: number
  /** the most bytes; `Infinity` leaves it to the limit of the form */
  readonly maxLength: number
  readonly minItems: number
  readonly maxItems: number
  /** media types, such as `image/png` and `image/*`; empty for any */
  readonly types: readonly string[]
  /** the handler reads it while it arrives */
  readonly streams: boolean
}

/** What the schema of a form says of its parts. */
export interface FormRules {
  readonly files: ReadonlyMap<string, FileRule>
  /** properties whose text is JSON: objects, and lists of them */
  readonly objects: ReadonlySet<string>
  /** all properties that are declared; `null` where the schema cannot be read, and the form may have any parts */
  readonly declared: ReadonlySet<string> | null
  /** parts without a file need no declaration: the schema has `additionalProperties` or `patternProperties` */
  readonly isOpen: boolean
}

/** A form whose schema cannot be read: every file is kept. */
export const ANY_FORM: FormRules = { files: new Map(), objects: new Set(), declared: null, isOpen: true }

/** Whether a media type is among those of a rule, which may end in `/*`. */
export function admitsType({ types }: FileRule, type: string): boolean {
  return (
    types.length === 0 ||
    types.some((one) => (one.endsWith('/*') ? type.startsWith(one.slice(0, -1)) : type === one))
  )
}
