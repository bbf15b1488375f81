/** The rules of the schema for a property that is a file or a list of files. */
export interface FileRule {
  readonly isList: boolean
  readonly minLength: number
  /** the most bytes; `Infinity` means that only the limit of the form applies */
  readonly maxLength: number
  readonly minItems: number
  readonly maxItems: number
  /** allowed media types, such as `image/png` or `image/*`; empty for any */
  readonly types: readonly string[]
  /** the handler reads the file while it arrives */
  readonly streams: boolean
  /** the schema allows a text in its place */
  readonly isTextToo: boolean
}

/** A file without limits of its own. */
export const ANY_FILE: FileRule = {
  isList: false,
  minLength: 0,
  maxLength: Infinity,
  minItems: 0,
  maxItems: Infinity,
  types: [],
  streams: false,
  isTextToo: false,
}

/** The rules of the schema for the parts of a form. */
export interface FormRules {
  readonly files: ReadonlyMap<string, FileRule>
  /** properties whose text is JSON: objects and lists of objects */
  readonly objects: ReadonlySet<string>
  /** all declared properties; `null` if the schema can't be read, so that the form may have any parts */
  readonly declared: ReadonlySet<string> | null
  /** undeclared fields are allowed, because the schema has `additionalProperties` or `patternProperties` */
  readonly isOpen: boolean
}

/** The rules for a form whose schema can't be read: every file is buffered. */
export const ANY_FORM: FormRules = { files: new Map(), objects: new Set(), declared: null, isOpen: true }

/** Returns whether a rule allows a media type. A type of the rule may end in `/*`. */
export function admitsType({ types }: FileRule, type: string): boolean {
  return (
    types.length === 0 ||
    types.some((one) => (one.endsWith('/*') ? type.startsWith(one.slice(0, -1)) : type === one))
  )
}
