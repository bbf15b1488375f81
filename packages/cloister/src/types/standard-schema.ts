// The interface of https://standardschema.dev, version 1: a validator of any library that carries its types.

/** A validator that follows Standard Schema: Zod 4, Valibot, ArkType and others. */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The properties of the interface. */
  readonly '~standard': StandardSchemaProperties<Input, Output>
}

/** The description of a validator. */
export interface StandardSchemaProperties<Input = unknown, Output = Input> {
  /** The version of the interface. */
  readonly version: 1
  /** The library. */
  readonly vendor: string
  /** Validates a value, synchronously or asynchronously. */
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
  /** The types before and after validation; absent at run time. */
  readonly types?: { readonly input: Input; readonly output: Output } | undefined
}

/** The outcome of a validation: a value, or its issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** One issue, with its path. */
export interface StandardIssue {
  /** The problem. */
  readonly message: string
  /** The path in the value. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Any schema with the property `~standard`, which JSON Schema does not have. */
export interface StandardLike {
  /** The interface; only inference reads its types. */
  readonly '~standard': { readonly types?: unknown }
}

/** The type of a value that a Standard Schema validator accepted. */
export type StandardOutput<S extends StandardLike> =
  NonNullable<S['~standard']['types']> extends { readonly output: infer Output } ? Output : unknown

/** The type of a value before a Standard Schema validator accepts it. */
export type StandardInput<S extends StandardLike> =
  NonNullable<S['~standard']['types']> extends { readonly input: infer Input } ? Input : unknown
