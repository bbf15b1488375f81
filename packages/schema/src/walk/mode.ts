/*
 * How a schema is applied. Within a union Ajv goes on after an error, fills in no defaults and keeps what the branches
 * refuse; within "not" and "if" it makes no errors at all.
 */

/** How a schema is applied. */
export class Mode {
  /** Errors do not end the function: another branch may accept the value. */
  readonly isTrial: boolean
  /** All errors are wanted, not the first alone. A walk that has found enough errors ends it. */
  isThorough: boolean
  /** No errors are wanted. */
  readonly isSilent: boolean
  /** The first error ends the function. */
  readonly endsAtOnce: boolean
  /** The name of the property that is checked; errors carry it. */
  readonly propertyName: string | undefined
  /** The number of errors is limited: the branches of a union stop at their first one. */
  readonly isLimited: boolean
  #trial: Mode | undefined

  constructor(
    isTrial: boolean,
    isThorough: boolean,
    isSilent: boolean,
    propertyName?: string,
    isLimited: boolean = false,
  ) {
    this.isTrial = isTrial
    this.isThorough = isThorough
    this.isSilent = isSilent
    this.endsAtOnce = !isTrial && !isThorough
    this.propertyName = propertyName
    this.isLimited = isLimited
  }

  /** The mode in which a branch of a union is tried. */
  get trial(): Mode {
    if (this.isTrial) return this
    const isThorough = this.isThorough && !this.isLimited
    return (this.#trial ??= new Mode(true, isThorough, this.isSilent, this.propertyName))
  }

  /** The mode in which the name of a property is checked. */
  forName(name: string): Mode {
    return new Mode(true, this.isThorough && !this.isLimited, this.isSilent, name)
  }
}

/** The mode of "not" and "if". */
export const SILENT: Mode = new Mode(true, false, true)
